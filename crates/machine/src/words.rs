//! The parser's messages in words, and where keys belong that stand in the wrong table.

/// Where keys stand that are often written elsewhere.
const PLACES: [(&str, &[&str]); 6] = [
    (
        "below `[device]`",
        &[
            "platform",
            "compute_capability",
            "flops",
            "flops_efficiency",
            "memory",
            "memory_headroom",
            "memory_bandwidth",
            "memory_efficiency",
            "launch_overhead",
            "collective_overhead",
            "permute_overhead",
            "grouped_convolution_flops",
        ],
    ),
    ("below `[device.flops]`", &["f64", "f32", "tf32", "bf16", "fp8", "int8"]),
    (
        "below `[[levels]]`",
        &["kind", "wraps_every", "size", "max_size", "bandwidth", "efficiency", "latency"],
    ),
    ("below `[device]` and below `[[levels]]`", &["curves"]),
    ("below `[device.curves.KIND]` and below `[levels.curves.KIND]`", &["points"]),
    (
        "at the top of the file, before all tables",
        &[
            "base",
            "aliases",
            "description",
            "calibrated",
            "source",
            "note",
            "assumed",
            "price_per_device_hour",
            "devices_per_host",
        ],
    ),
];

/// The parser's message for those who do not know its types.
pub(crate) fn in_words(message: &str) -> String {
    let message = message.replace("missing field", "missing key");
    let wanted = [
        ("f64", "a number such as `0.9`"),
        ("a string", "text in quotes such as `\"mine\"`"),
        ("a boolean", "`true` or `false`"),
        ("a sequence", "a list such as `[\"memory\"]`"),
    ];
    let Some((start, expected)) = message.rsplit_once(", expected ") else { return message };
    match wanted.iter().find(|(theirs, _)| *theirs == expected) {
        Some((_, ours)) => format!("{start}, expected {ours}"),
        None => message,
    }
}

/// Where a key stands in a machine file; nothing if it is none.
pub(crate) fn place_of(key: &str) -> Option<&'static str> {
    PLACES.iter().find(|(_, keys)| keys.contains(&key)).map(|(place, _)| *place)
}
