//! All ways that degrees may be chosen: of each degree one number, several, or all that there are.
//!
//! Input: what is said of each degree ([`DegreeSpace`]), such as `--tp 2,4,8 --cp search`, and a number of devices.
//! Output: [`ParallelDegrees`], one for each combination, those that were not said at their least or, for a grid, searched
//! ([`Unsaid`]).

use super::degrees::{ParallelDegrees, SaidDegrees, number_of};
use meshwright_plan::DegreeName;
use std::collections::BTreeSet;
use std::str::FromStr;

/// More combinations are nothing that anybody reads.
pub const MOST_WAYS: usize = 20_000;

/// Choices that there are for one degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DegreeChoice {
    /// These numbers.
    Each(Vec<usize>),
    /// Whatever divides the devices.
    Search,
}

impl DegreeChoice {
    /// `8`, `2,4,8` or `search`, of one degree.
    ///
    /// # Errors
    /// What is no number that the degree can have.
    pub fn read(name: DegreeName, text: &str) -> Result<Self, String> {
        if text.trim() == "search" {
            return Ok(Self::Search);
        }
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let least = if name == DegreeName::Zero { "a stage from 0 to 3" } else { "a number from 1" };
            let number = number_of(name, part.trim()).map_err(|_| {
                format!(
                    "`{}` is nothing for `--{name}`: write {least}, several such as `1,2`, or `search`",
                    part.trim()
                )
            })?;
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        Ok(Self::Each(numbers))
    }
}

/// Degrees that are not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaid {
    /// They are 1; `dp` is what the others leave.
    Least,
    /// Those that the field varies are searched: `tp` with and without `sp`, `cp`, `zero`, and `ep` where there are experts,
    /// whose devices share the rest of the state under ZeRO-3, or do not.
    Searched {
        /// Whether the program has experts.
        experts: bool,
    },
}

/// Degrees with what is said of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DegreeSpace {
    choices: Vec<(DegreeName, DegreeChoice)>,
}

impl FromStr for DegreeSpace {
    type Err = String;

    /// `dp=4,tp=2`, as `--as` has it.
    fn from_str(text: &str) -> Result<Self, String> {
        let said: SaidDegrees = text.parse().map_err(|refusal: crate::Refusal| refusal.to_string())?;
        Self::of(&said, &[])
    }
}

impl DegreeSpace {
    /// Degrees of `--as` (`said`), and of flags for single degrees.
    ///
    /// # Errors
    /// A degree is in both, or they contradict one another.
    pub fn of(said: &SaidDegrees, flags: &[(DegreeName, DegreeChoice)]) -> Result<Self, String> {
        let one = |(name, number): &(DegreeName, usize)| (*name, DegreeChoice::Each(vec![*number]));
        let mut choices: Vec<(DegreeName, DegreeChoice)> = said.0.iter().map(one).collect();
        for (name, choice) in flags {
            if choices.iter().any(|(known, _)| known == name) {
                return Err(format!("`{name}` is in `--as` and in `--{name}`: leave one of them out"));
            }
            choices.push((*name, choice.clone()));
        }
        choices.sort_by_key(|(name, _)| *name);
        let space = Self { choices };
        match space.single() {
            Some(numbers) => ParallelDegrees::of(&numbers).map(|_| space),
            None => Ok(space),
        }
    }

    /// The same where a degree is searched of which nothing is said.
    pub fn or_search(self, name: DegreeName) -> Self {
        self.or(name, DegreeChoice::Search)
    }

    /// The same where all is open that steps in microbatches run, of what nothing is said: pipelines with several stages of each
    /// group, and gradients that each microbatch scatters (ZeRO-2), which some frameworks do wherever they shard moments.
    pub fn or_in_microbatches(self) -> Self {
        self.or_search(DegreeName::Pp)
            .or_search(DegreeName::Vp)
            .or(DegreeName::Zero, DegreeChoice::Each(vec![0, 1, 2, 3]))
    }

    fn or(mut self, name: DegreeName, choice: DegreeChoice) -> Self {
        if self.choices.iter().all(|(known, _)| *known != name) {
            self.choices.push((name, choice));
            self.choices.sort_by_key(|(name, _)| *name);
        }
        self
    }

    /// The same with so many stages of each group, where nothing is said of these and there are groups.
    pub fn or_virtual_stages(mut self, number: usize) -> Self {
        let of = |name: DegreeName| self.choices.iter().find(|(known, _)| *known == name);
        if number == 1 || of(DegreeName::Vp).is_some() {
            return self;
        }
        let has_one = match of(DegreeName::Pp) {
            Some((_, DegreeChoice::Each(groups))) => groups.contains(&1),
            Some((_, DegreeChoice::Search)) | None => true,
        };
        let numbers = if has_one { vec![1, number] } else { vec![number] };
        self.choices.push((DegreeName::Vp, DegreeChoice::Each(numbers)));
        self.choices.sort_by_key(|(name, _)| *name);
        self
    }

    /// Returns whether some of these ways may be pipelines.
    pub fn has_stages(&self) -> bool {
        let is_one = |choice: &DegreeChoice| matches!(choice, DegreeChoice::Each(numbers) if numbers == &[1]);
        let of_stages = |name: DegreeName| matches!(name, DegreeName::Pp | DegreeName::Vp);
        self.choices.iter().any(|(name, choice)| of_stages(*name) && !is_one(choice))
    }

    /// Returns whether some of these ways may be pipelines of so many stages.
    pub fn may_have_stages(&self, stages: usize) -> bool {
        let of = |name: DegreeName| self.choices.iter().find(|(known, _)| *known == name);
        let numbers = |name: DegreeName| match of(name) {
            Some((_, DegreeChoice::Each(numbers))) => Some(&numbers[..]),
            Some((_, DegreeChoice::Search)) => None,
            None => Some(&[1][..]),
        };
        match (numbers(DegreeName::Pp), numbers(DegreeName::Vp)) {
            (Some(groups), Some(each)) => {
                groups.iter().any(|groups| each.iter().any(|each| groups.checked_mul(*each) == Some(stages)))
            }
            (Some(one), None) | (None, Some(one)) => {
                one.iter().any(|one| *one > 0 && stages.is_multiple_of(*one))
            }
            (None, None) => true,
        }
    }

    /// True if nothing is said.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// The only way, if every degree that is said has one number.
    pub fn only(&self) -> Option<ParallelDegrees> {
        let numbers = self.single().filter(|numbers| !numbers.is_empty())?;
        ParallelDegrees::of(&numbers).ok()
    }

    fn single(&self) -> Option<Vec<(DegreeName, usize)>> {
        let number = |(name, choice): &(DegreeName, DegreeChoice)| match choice {
            DegreeChoice::Each(numbers) if numbers.len() == 1 => Some((*name, numbers[0])),
            _ => None,
        };
        self.choices.iter().map(number).collect()
    }

    /// All ways on so many devices, in the order of their degrees. Those that contradict themselves are left out, and those
    /// that do not multiply to the devices by a degree that is searched. Where those that are said do not multiply to the
    /// devices, they stay, without what is searched beside them; ZeRO over one device is none. Of those that come to the same the
    /// first stays.
    ///
    /// # Errors
    /// More ways than [`MOST_WAYS`].
    pub fn ways(&self, devices: usize, unsaid: Unsaid) -> Result<Vec<ParallelDegrees>, String> {
        let mut found: Vec<Vec<(DegreeName, usize)>> = vec![Vec::new()];
        for name in ORDER {
            let mut longer = Vec::new();
            for so_far in &found {
                let options = self.numbers(name, so_far, devices, unsaid);
                longer.extend(
                    options.into_iter().map(|number| [so_far.as_slice(), &[(name, number)]].concat()),
                );
            }
            if longer.len() > MOST_WAYS {
                return Err(format!(
                    "these are more than {MOST_WAYS} combinations of degrees: say more of them, such as `--tp 1,2,4,8`"
                ));
            }
            found = longer;
        }
        let also = found.iter().filter_map(|numbers| self.over_experts(numbers, unsaid));
        let also: Vec<_> = also.collect();
        found.extend(also);
        let mut seen = BTreeSet::new();
        let ways = found.iter().filter_map(|numbers| self.way(numbers, devices));
        Ok(ways.filter(|way| seen.insert(way.on(devices))).collect())
    }

    /// The way of these numbers, if it is one, or one that is said and refused where everybody sees it.
    fn way(&self, numbers: &[(DegreeName, usize)], devices: usize) -> Option<ParallelDegrees> {
        let way = ParallelDegrees::of(numbers);
        if let Some(fits) = way.as_ref().ok().filter(|way| way.degrees(devices).is_ok()) {
            return Some(*fits);
        }
        if self.searches_too_many(numbers, devices) {
            return None;
        }
        let said = |name: DegreeName| {
            self.choices.iter().any(|(known, choice)| *known == name && *choice != DegreeChoice::Search)
        };
        let of =
            |name: DegreeName| numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let is_whole = OF_DEVICES
            .iter()
            .try_fold(1_usize, |product, name| product.checked_mul(of(*name).unwrap_or(1)))
            .is_some_and(|product| devices.is_multiple_of(product));
        match way {
            // All that is left for the batch is one device.
            Err(_) if is_whole && !said(DegreeName::Dp) && said(DegreeName::Zero) => {
                let without = numbers.iter().filter(|(name, _)| *name != DegreeName::Zero);
                let without: Vec<(DegreeName, usize)> = without.copied().collect();
                ParallelDegrees::of(&without).ok()
            }
            _ => {
                let said: Vec<(DegreeName, usize)> =
                    numbers.iter().filter(|(name, _)| said(*name)).copied().collect();
                ParallelDegrees::of(&said).ok()
            }
        }
    }

    /// The same way with ZeRO-3 over the devices of experts too, where that is another one and nothing is said of `fsdp`.
    fn over_experts(
        &self,
        numbers: &[(DegreeName, usize)],
        unsaid: Unsaid,
    ) -> Option<Vec<(DegreeName, usize)>> {
        let of = |name: DegreeName| {
            numbers.iter().find(|(known, _)| *known == name).map_or(1, |(_, number)| *number)
        };
        let is_said = self.choices.iter().any(|(known, _)| *known == DegreeName::Fsdp);
        let [dp, ep, zero] = [DegreeName::Dp, DegreeName::Ep, DegreeName::Zero].map(of);
        if is_said || unsaid == Unsaid::Least || zero != 3 || dp == 1 || ep == 1 {
            return None;
        }
        let fsdp = dp.checked_mul(ep)?;
        Some(
            numbers
                .iter()
                .map(|(name, number)| (*name, if *name == DegreeName::Fsdp { fsdp } else { *number }))
                .collect(),
        )
    }

    /// Returns whether degrees that are said would do, but others that are searched take more devices than these leave.
    fn searches_too_many(&self, numbers: &[(DegreeName, usize)], devices: usize) -> bool {
        let is_said = |name: DegreeName| {
            self.choices.iter().any(|(known, choice)| *known == name && *choice != DegreeChoice::Search)
        };
        let of_devices =
            numbers.iter().filter(|(name, _)| *name == DegreeName::Dp || OF_DEVICES.contains(name));
        let (said, searched): (Vec<_>, Vec<_>) = of_devices.partition(|(name, _)| is_said(*name));
        let product = |all: &[&(DegreeName, usize)]| {
            all.iter().try_fold(1_usize, |product, (_, number)| product.checked_mul(*number))
        };
        product(&searched).is_none_or(|product| product > 1)
            && product(&said).is_some_and(|product| devices.is_multiple_of(product))
    }

    /// The numbers that one degree may have beside those before it.
    fn numbers(
        &self,
        name: DegreeName,
        so_far: &[(DegreeName, usize)],
        devices: usize,
        unsaid: Unsaid,
    ) -> Vec<usize> {
        let of = |name: DegreeName| {
            so_far.iter().find(|(known, _)| *known == name).map_or(1, |(_, number)| *number)
        };
        let taken: usize = OF_DEVICES.iter().map(|name| of(*name)).product();
        let left = if devices.is_multiple_of(taken) { devices / taken } else { 1 };
        let groups = of(DegreeName::Pp);
        let choice = self.choices.iter().find(|(known, _)| *known == name).map(|(_, choice)| choice);
        match (choice, unsaid) {
            (Some(DegreeChoice::Each(numbers)), _) => numbers.clone(),
            (Some(DegreeChoice::Search), _) if name == DegreeName::Vp && groups > 1 => VIRTUAL.to_vec(),
            (Some(DegreeChoice::Search), _) => searched(name, of(DegreeName::Tp), left),
            (None, Unsaid::Searched { experts }) => match name {
                DegreeName::Tp | DegreeName::Sp | DegreeName::Cp | DegreeName::Dp | DegreeName::Zero => {
                    searched(name, of(DegreeName::Tp), left)
                }
                DegreeName::Ep if experts => searched(name, 1, left),
                _ => vec![1],
            },
            // What the others leave is a degree like those that are said.
            (None, Unsaid::Least) if name == DegreeName::Dp => vec![left],
            (None, Unsaid::Least) => vec![usize::from(name != DegreeName::Zero)],
        }
    }
}

/// Degrees in the order in which they are chosen: what is left is for `dp`, and ZeRO is over the devices of that.
const ORDER: [DegreeName; 9] = [
    DegreeName::Pp,
    DegreeName::Vp,
    DegreeName::Tp,
    DegreeName::Sp,
    DegreeName::Cp,
    DegreeName::Ep,
    DegreeName::Fsdp,
    DegreeName::Dp,
    DegreeName::Zero,
];

/// Degrees that multiply to the devices, beside `dp`.
const OF_DEVICES: [DegreeName; 5] =
    [DegreeName::Pp, DegreeName::Tp, DegreeName::Cp, DegreeName::Ep, DegreeName::Fsdp];

/// Stages of each group that are tried where they are searched.
const VIRTUAL: [usize; 3] = [1, 2, 4];

/// All numbers of a degree that is searched, where `left` devices are left.
fn searched(name: DegreeName, tp: usize, left: usize) -> Vec<usize> {
    match name {
        // What is left is all for the batch; ZeRO-2 takes longer than ZeRO-1 where that fits.
        DegreeName::Dp => vec![left],
        DegreeName::Zero => vec![0, 1, 2, 3],
        DegreeName::Sp if tp == 1 => vec![1],
        DegreeName::Sp => vec![1, tp],
        DegreeName::Vp => vec![1],
        _ => (1..=left).filter(|number| left.is_multiple_of(*number)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(flags: &[(DegreeName, &str)]) -> DegreeSpace {
        let flags: Vec<_> =
            flags.iter().map(|(name, text)| (*name, DegreeChoice::read(*name, text).unwrap())).collect();
        DegreeSpace::of(&SaidDegrees::default(), &flags).unwrap()
    }

    fn texts(ways: &[ParallelDegrees]) -> Vec<String> {
        ways.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn flags_are_degrees_written_singly() {
        let flags = space(&[(DegreeName::Tp, "8"), (DegreeName::Dp, "4")]);
        assert_eq!(flags, "tp=8,dp=4".parse().unwrap());
        assert_eq!(flags.only(), Some("dp=4,tp=8".parse().unwrap()));
        let said: SaidDegrees = "tp=8".parse().unwrap();
        let both = DegreeSpace::of(&said, &[(DegreeName::Tp, DegreeChoice::Each(vec![8]))]);
        assert_eq!(both.unwrap_err(), "`tp` is in `--as` and in `--tp`: leave one of them out");
        for (name, wrong) in [(DegreeName::Tp, "0"), (DegreeName::Zero, "4"), (DegreeName::Cp, "2,x")] {
            assert!(DegreeChoice::read(name, wrong).is_err(), "{name} {wrong}");
        }
    }

    #[test]
    fn lists_and_searches_are_combined() {
        let ways =
            space(&[(DegreeName::Tp, "2,4"), (DegreeName::Zero, "0,1")]).ways(8, Unsaid::Least).unwrap();
        assert_eq!(texts(&ways), ["dp=4,tp=2", "dp=4,tp=2,zero=1", "dp=2,tp=4", "dp=2,tp=4,zero=1"]);
        let ways = space(&[(DegreeName::Tp, "search")]).ways(4, Unsaid::Least).unwrap();
        assert_eq!(texts(&ways), ["dp=4", "dp=2,tp=2", "dp=1,tp=4"]);
        // What does not multiply to the devices stays, to be refused where everybody sees it.
        let ways = space(&[(DegreeName::Tp, "3,4")]).ways(8, Unsaid::Least).unwrap();
        assert_eq!(texts(&ways), ["tp=3", "dp=2,tp=4"]);
        let ways = space(&[(DegreeName::Tp, "3,4,8"), (DegreeName::Zero, "1,3")]).ways(8, Unsaid::Least);
        assert_eq!(
            texts(&ways.unwrap()),
            ["tp=3,zero=1", "tp=3,zero=3", "dp=2,tp=4,zero=1", "dp=2,tp=4,zero=3", "dp=1,tp=8"]
        );
    }

    #[test]
    fn ways_that_come_to_the_same_are_one() {
        // Nothing is left for the batch, so that no ZeRO is another way.
        let ways = space(&[(DegreeName::Tp, "4"), (DegreeName::Pp, "2")]);
        let ways = ways.ways(8, Unsaid::Searched { experts: false }).unwrap();
        assert_eq!(texts(&ways), ["dp=1,tp=4,pp=2", "dp=1,tp=4,sp=4,pp=2"]);
        // `fsdp` is a part of `dp`, or stands beside it.
        let ways = space(&[(DegreeName::Dp, "8,4"), (DegreeName::Fsdp, "2")]).ways(8, Unsaid::Least).unwrap();
        assert_eq!(texts(&ways), ["dp=8,fsdp=2"]);
    }

    #[test]
    fn steps_in_microbatches_run_in_more_ways() {
        let open = DegreeSpace::default().or_in_microbatches();
        let ways = texts(&open.ways(4, Unsaid::Searched { experts: false }).unwrap());
        for wanted in ["dp=4,zero=2", "dp=2,pp=2,zero=2", "dp=2,pp=2,vp=2", "dp=1,pp=4,vp=4"] {
            assert!(ways.contains(&wanted.to_owned()), "{wanted}: {ways:?}");
        }
        // What is said stays.
        let said = space(&[(DegreeName::Pp, "2"), (DegreeName::Zero, "1")]).or_in_microbatches();
        let ways = said.ways(4, Unsaid::Searched { experts: false }).unwrap();
        assert!(ways.iter().all(|way| way.groups() == 2), "{:?}", texts(&ways));
        assert!(!texts(&ways).iter().any(|way| way.contains("zero=2") || way.contains("zero=3")));
        assert!(said.has_stages() && !DegreeSpace::default().has_stages());
    }

    #[test]
    fn what_is_searched_takes_no_more_devices_than_what_is_said_leaves() {
        let unsaid = Unsaid::Searched { experts: false };
        let both = space(&[(DegreeName::Cp, "1,2"), (DegreeName::Pp, "1,2,4")]).ways(16, unsaid).unwrap();
        assert!(both.len() > 20 && both.iter().all(|way| way.degrees(16).is_ok()), "{:?}", texts(&both));
        let cp_with_most = "dp=1,tp=8,cp=2".parse().unwrap();
        assert!(both.contains(&cp_with_most));
        // What is said and does not fit by itself stays.
        let said = space(&[(DegreeName::Cp, "3")]).ways(16, unsaid).unwrap();
        assert!(!said.is_empty() && said.iter().all(|way| way.degrees(16).is_err()), "{:?}", texts(&said));
        let list = space(&[(DegreeName::Tp, "2,3"), (DegreeName::Pp, "2,64"), (DegreeName::Zero, "1")]);
        let refused = list.ways(16, unsaid).unwrap().into_iter().filter(|way| way.degrees(16).is_err());
        let wanted = ["tp=2,pp=64,zero=1", "tp=3,pp=2,zero=1", "tp=3,pp=64,zero=1"];
        let mut refused = texts(&refused.collect::<Vec<_>>());
        refused.sort();
        assert_eq!(refused, wanted);
        let all = space(&[(DegreeName::Dp, "4"), (DegreeName::Tp, "2")]).ways(16, unsaid).unwrap();
        assert!(texts(&all).contains(&"dp=4,tp=2".to_owned()), "{:?}", texts(&all));
    }

    #[test]
    fn a_grid_searches_what_the_field_varies() {
        let ways = DegreeSpace::default().ways(4, Unsaid::Searched { experts: false }).unwrap();
        let texts = texts(&ways);
        for wanted in ["dp=4", "dp=4,zero=3", "dp=2,tp=2,sp=2,zero=1", "dp=1,cp=4", "dp=1,tp=4,sp=4"] {
            assert!(texts.contains(&wanted.to_owned()), "{wanted}: {texts:?}");
        }
        assert!(!texts.iter().any(|text| text.contains("ep") || text.contains("dp=1,tp=4,zero")));
        let experts = DegreeSpace::default().ways(4, Unsaid::Searched { experts: true }).unwrap();
        assert!(experts.len() > ways.len());
        // Under ZeRO-3 the devices of experts share the other state too, or do not.
        let experts: Vec<String> = experts.iter().map(ToString::to_string).collect();
        for wanted in ["dp=2,ep=2,zero=3", "dp=2,fsdp=4,ep=2,zero=3", "dp=1,ep=4,zero=3"] {
            assert!(experts.contains(&wanted.to_owned()), "{wanted}: {experts:?}");
        }
        assert_eq!(experts.iter().filter(|text| text.contains("fsdp")).count(), 1, "{experts:?}");
        let said = space(&[(DegreeName::Fsdp, "2")]).ways(4, Unsaid::Searched { experts: true }).unwrap();
        assert!(!said.contains(&"dp=2,fsdp=4,ep=2,zero=3".parse().unwrap()), "{:?}", said);
        let stages = DegreeSpace::default().or_search(DegreeName::Pp);
        let stages = stages.ways(4, Unsaid::Searched { experts: false }).unwrap();
        let stages: Vec<String> = stages.iter().map(ToString::to_string).collect();
        for wanted in ["dp=2,pp=2", "dp=1,tp=2,sp=2,pp=2", "dp=1,pp=4", "dp=4"] {
            assert!(stages.contains(&wanted.to_owned()), "{wanted}: {stages:?}");
        }
        let said = space(&[(DegreeName::Pp, "1,2"), (DegreeName::Vp, "search")]);
        let virtual_stages = said.ways(4, Unsaid::Least).unwrap();
        assert_eq!(
            virtual_stages.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["dp=4", "dp=2,pp=2", "dp=2,pp=2,vp=2", "dp=2,pp=2,vp=4"]
        );
    }
}
