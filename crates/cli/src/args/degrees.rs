//! Flags of degrees of parallelism: a way of the user's own, several, and what plans have to keep to.

use clap::{Args, builder::ValueParser};
use meshwright_compile::{Constraints, DegreeChoice, DegreeSpace, SaidDegrees};
use meshwright_plan::DegreeName;

/// Degrees written together or singly.
#[derive(Args, Clone, Debug)]
pub(crate) struct DegreeArguments {
    /// A way of your own, such as `dp=4,tp=8,zero=1`, to be priced beside the plan; with `--search none` it is the plan
    #[arg(long = "as", value_name = "DEGREES")]
    said: Option<SaidDegrees>,
    /// The same written singly (`--allow 'dp=4'` keeps the search to such plans): devices of the batch; a number, several
    /// (`2,4`), of which the best way is taken, or `search`
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Dp), allow_negative_numbers = true)]
    dp: Option<DegreeChoice>,
    /// Devices of those over which parameters are sharded
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Fsdp), allow_negative_numbers = true)]
    fsdp: Option<DegreeChoice>,
    /// Devices of weights
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Tp), allow_negative_numbers = true)]
    tp: Option<DegreeChoice>,
    /// Devices of those over which tokens are sharded between products
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Sp), allow_negative_numbers = true)]
    sp: Option<DegreeChoice>,
    /// Devices of tokens
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Cp), allow_negative_numbers = true)]
    cp: Option<DegreeChoice>,
    /// Devices of experts
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Ep), allow_negative_numbers = true)]
    ep: Option<DegreeChoice>,
    /// Stage of ZeRO, 0 to 3
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Zero), allow_negative_numbers = true)]
    zero: Option<DegreeChoice>,
    /// Groups of devices that run stages of a pipeline, in `--microbatches`
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Pp), allow_negative_numbers = true)]
    pp: Option<DegreeChoice>,
    /// Stages of each group
    #[arg(long, value_name = DEGREE, value_parser = degree(DegreeName::Vp), allow_negative_numbers = true)]
    vp: Option<DegreeChoice>,
}

/// Degrees of a plan, and what they have to keep to.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlanDegreeArguments {
    #[command(flatten)]
    degrees: DegreeArguments,
    /// What degrees of a plan have to keep to: clauses such as `tp<=8@nvlink, cp=1, pp in 1,2,4`, or of a part of the model `layers 0-3: tp<=4`, `lm_head.weight: tp=1`; `@nvlink` is for links that its devices reach one another by
    #[arg(long, value_name = "CLAUSES")]
    pub(crate) allow: Option<Constraints>,
}

/// What stands for a degree's value in the help.
const DEGREE: &str = "N|N,N|search";

impl DegreeArguments {
    /// All that is said.
    ///
    /// # Errors
    /// A degree is said twice, or degrees contradict one another.
    pub(crate) fn space(&self) -> Result<DegreeSpace, String> {
        let flags: Vec<(DegreeName, DegreeChoice)> = DegreeName::ALL
            .into_iter()
            .filter_map(|name| Some((name, self.of(name).as_ref()?.clone())))
            .collect();
        DegreeSpace::of(&self.said.clone().unwrap_or_default(), &flags)
    }

    /// The flags of degrees that are given.
    pub(crate) fn said(&self) -> Vec<String> {
        let singly = DegreeName::ALL.into_iter().filter(|name| self.of(*name).is_some());
        let as_one = self.said.iter().map(|_| "--as".to_owned());
        as_one.chain(singly.map(|name| format!("--{name}"))).collect()
    }

    /// True if nothing is said of degrees.
    pub(crate) fn is_empty(&self) -> bool {
        self.said.is_none() && DegreeName::ALL.into_iter().all(|name| self.of(name).is_none())
    }

    fn of(&self, name: DegreeName) -> &Option<DegreeChoice> {
        match name {
            DegreeName::Dp => &self.dp,
            DegreeName::Fsdp => &self.fsdp,
            DegreeName::Tp => &self.tp,
            DegreeName::Sp => &self.sp,
            DegreeName::Cp => &self.cp,
            DegreeName::Ep => &self.ep,
            DegreeName::Zero => &self.zero,
            DegreeName::Pp => &self.pp,
            DegreeName::Vp => &self.vp,
        }
    }
}

impl PlanDegreeArguments {
    /// All that is said of degrees.
    ///
    /// # Errors
    /// As of [`DegreeArguments::space`].
    pub(crate) fn space(&self) -> Result<DegreeSpace, String> {
        self.degrees.space()
    }

    /// The same with these degrees as what is written together.
    pub(crate) fn with(&self, said: SaidDegrees) -> Self {
        Self { degrees: DegreeArguments { said: Some(said), ..self.degrees.clone() }, ..self.clone() }
    }

    /// These degrees alone, with the same constraints.
    pub(crate) fn only(&self, said: SaidDegrees) -> Self {
        let degrees = DegreeArguments {
            said: Some(said),
            dp: None,
            fsdp: None,
            tp: None,
            sp: None,
            cp: None,
            ep: None,
            zero: None,
            pp: None,
            vp: None,
        };
        Self { degrees, ..self.clone() }
    }

    /// The flags of degrees that are given.
    pub(crate) fn said(&self) -> Vec<String> {
        self.degrees.said()
    }

    /// True if nothing is said of degrees, nor of what they have to keep to.
    pub(crate) fn is_empty(&self) -> bool {
        self.degrees.is_empty() && self.allow.is_none()
    }
}

/// Reads the choices of one degree.
fn degree(name: DegreeName) -> ValueParser {
    ValueParser::new(move |text: &str| DegreeChoice::read(name, text))
}
