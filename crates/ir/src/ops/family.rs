//! Families of ops: enums of ops that differ in little but their names.

/// Enum of ops, each with its full name.
macro_rules! family {
    (
        $(#[$about_family:meta])*
        $family:ident { $($(#[$about:meta])* $kind:ident = $name:literal),* $(,)? }
    ) => {
        $(#[$about_family])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $family {
            $($(#[$about])* $kind),*
        }

        impl $family {
            /// All of them, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            const ALL_NAMES: &'static [&'static str] = &[$($name),*];

            fn from_name(name: &str) -> Self {
                let at = Self::ALL_NAMES.iter().position(|known| *known == name);
                Self::ALL[at.expect("the parser passes known names")]
            }
        }
    };
}

/// What [`OpDef`](crate::op::OpDef) asks of a family that has no attributes.
macro_rules! names_of_family {
    () => {
        const NAMES: &'static [&'static str] = Self::ALL_NAMES;

        fn name(&self) -> &'static str {
            Self::NAMES[*self as usize]
        }

        fn from_attributes(name: &'static str, _: &mut $crate::op::AttrReader<'_>) -> Result<Self, String> {
            Ok(Self::from_name(name))
        }
    };
}

pub(super) use {family, names_of_family};
