//! The fingerprint of a program: whether a plan was made for the very program it is used on.

use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};

/// 64-bit FNV-1a (Fowler, Noll, Vo) of the printed program, as 16 hex digits. The same on every machine and in
/// every release that prints the program alike; names and comments of the source do not matter.
pub fn fingerprint(program: &Program) -> String {
    format!("{:016x}", fnv1a(print(program, Form::Pretty).as_bytes()))
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn it_is_the_published_function() {
        // Values of the reference implementation's test suite.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
