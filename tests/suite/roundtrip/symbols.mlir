// test: roundtrip
// Symbols inside symbols, each with quotes of its own.
module attributes {m.x = @"a b"::@c, m.y = @a::@b, m.z = @"%"::@"1"} {
}
// expect:
// module attributes {m.x = @"a b"::@c, m.y = @a::@b, m.z = @"%"::@"1"} {
// }
