//! Scripts and the commands that they come to.

use super::*;

fn commands(text: &str) -> Vec<String> {
    let script = script(text).unwrap();
    let line = |words: &Vec<Word>| words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    script.commands.iter().map(line).collect()
}

fn last(text: &str) -> String {
    // Shells that end go back to the folder before.
    commands(text).into_iter().rfind(|command| command != "cd -").unwrap_or_default()
}

#[test]
fn variables_and_lists_are_put_in() {
    for (text, command) in [
        ("ARGS=\"--tp 4\"\nrun $ARGS\n", "run --tp 4"),
        ("ARGS='--tp 4'; run ${ARGS} # --pp 2", "run --tp 4"),
        ("ARGS=(\n --tp 4 # of a host\n \"--pp 2\"\n)\nrun ${ARGS[@]} x", "run --tp 4 --pp 2 x"),
        ("ARGS=\"\n --tp 4 \\\n --pp 2\n\"\nrun $ARGS", "run --tp 4 --pp 2"),
        ("A=\"--tp 4\"\nA+=\" --pp 2\"\nrun $A", "run --tp 4 --pp 2"),
        ("A=(--tp 4)\nA+=(--pp 2)\nrun \"${A[@]}\"", "run --tp 4 --pp 2"),
        ("TP=4\nexport PP=2 CP=1\nrun --tp $TP --pp=${PP} --cp \"$CP\"", "run --tp 4 --pp=2 --cp 1"),
        ("N=4\nW=$((N*8))\nV=$(( $N * ${G:-2} + 1 ))\nrun $W $V", "run 32 9"),
        ("run ${1:-\"a b\"} ${X:=3}", "run a b 3"),
        ("X=1 Y=2 run a X=$X", "run a X=$X"),
        ("X=3\nX=1 Y=2 run a\nrun $X", "run 3"),
        ("run a > log.txt 2>&1 &", "run a"),
        ("cat <<EOF > f\n--tp 8\nEOF\nrun a", "run a"),
        ("run one \\\r\n  two\r\n", "run one two"),
        ("C=\"python x.py --tp 2\"\nsrun -l bash -c \"cd /x && $C\"", "python x.py --tp 2"),
        ("A=1\n#A=2\nrun '$A' \"$A\" \\$A", "run $A 1 $A"),
        ("E=\nrun $E \"$E\" a", "run  a"),
        (": ${X:=512}\nrun $X", "run 512"),
        ("X=\nrun ${X:-4} ${X:=5}", "run 4 5"),
        ("C=\"run a\"\neval $C --tp 2", "run a --tp 2"),
        ("declare -i N=4*2\nexport \"M=$N\"\nrun $N $M", "run 8 8"),
        ("D=$(cd $(dirname $0) | sed \"s/)//\")\nrun a", "run a"),
        ("small() {\n S=128\n}\nS=512\nrun $S", "run 512"),
        ("f() { local S=1; T=$1; run $S ${@:-x} $@; }\nS=5\nf a b\nrun $S $T", "run 5 a"),
        ("S=1\n(S=2; cd x)\nrun $S", "run 1"),
        ("S=1\n{ S=2; }\nrun $S", "run 2"),
    ] {
        assert_eq!(last(text), command, "{text}");
    }
}

#[test]
fn tests_choose_where_they_are_decided() {
    for (text, command) in [
        (
            "D=fp8\nA=()\nif [[ \"$D\" == \"fp8\" ]]; then\n A+=(--fp8)\nelse\n A+=(--no)\nfi\nrun ${A[@]}",
            "run --fp8",
        ),
        ("N=1\nif [ $N -gt 1 ]\nthen A=2; elif [ $N -eq 1 ]; then A=1\nelse A=0\nfi; run $A", "run 1"),
        ("M=7b\ncase $M in\n 8b|7b) L=32 ;;\n *) L=1;;\nesac\nrun $L", "run 32"),
        ("M=70b\ncase \"${M}\" in\n (8b) L=32 ;;\n *) L=80\nesac\nrun $L", "run 80"),
        ("N=1\n[ $N -gt 1 ] && A=2 || A=3\nrun $A", "run 3"),
        ("[ -n \"\" ] && A=1\nA=${A:-0}\nrun $A", "run 0"),
        ("set -e; cd x || exit 1\nrun a", "run a"),
        ("main() {\n run a\n}\nmain", "run a"),
        ("main() {\n run a\n}\nrun b", "run b"),
        ("S=1\nif ! [ a = a ]; then S=2; fi\nrun $S", "run 1"),
        ("S=1\n! [ a = b ] && S=2\nrun $S", "run 2"),
        ("S=1\nif [[ 1 -gt 2 && 3 -gt 2 ]]; then S=2; fi\nrun $S", "run 1"),
        ("S=1\nif [[ -n a && ! -z b || -n \"\" ]]; then S=2; fi\nrun $S", "run 2"),
        ("S=1\n[ 1 = 2 ] && { echo hi; S=2; }\nrun $S", "run 1"),
        ("X=\nif [ a = b ]; then S=2; else S=1; fi\nrun $S", "run 1"),
        ("M=a\ncase $M in a|b) S=1 ;; *) S=2 ;; esac\nrun $S", "run 1"),
        ("S=1\nfalse || S=2\nrun $S", "run 2"),
        ("[ a = b ] && x | y\nrun a", "run a"),
    ] {
        assert_eq!(last(text), command, "{text}");
    }
    let unknown = |text: &str| {
        let script = script(text).unwrap();
        let found = script.commands.last().unwrap().iter().find_map(|word| word.unknown().cloned());
        found.map(|Unknown { written, why }| format!("{written}: {why}")).unwrap_or_default()
    };
    for (text, said) in [
        ("run $TP", "$TP: the file does not set it"),
        ("run $1", "$1: the file does not set it"),
        ("T=$(nproc)\nrun $T", "$(nproc): only running the script says it"),
        ("run $((NODES * 8))", "$((NODES * 8)): it is no sum of numbers that the file says"),
        ("run $(($NODES * 8))", "$NODES: the file does not set it"),
        (
            "T=1\nif [ -f x ]; then T=2; fi\nrun $T",
            "$T: it is set under a test that only running the script decides",
        ),
        (
            "A=()\nif [ -n \"$W\" ]; then A+=(--w x); fi\nrun --a ${A[@]}",
            "--w: it is set under a test that only running the script decides",
        ),
        (
            "A=\"--a 1\"\nif [ -n \"$W\" ]; then A=\"--a 1 --w x\"; fi\nrun $A",
            "--w: it is set under a test that only running the script decides",
        ),
        ("for T in 1 2; do\n run $T\ndone", "run: it runs in a loop (`for`)"),
        (
            "S=1\nif grep -q a b; then S=2; fi\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=1\nif (( 1 > 8 )); then S=2; fi\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=1\n[[ 5 > 8 ]] && S=2\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=1\nif ! grep a b; then S=2; fi\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=1\nif [ -f x ] && [ 2 -gt 1 ]; then S=2; fi\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=1\nif [[ \"ab\" == \"a*\" ]]; then S=2; fi\nrun $S",
            "$S: it is set under a test that only running the script decides",
        ),
        (
            "S=0\ncase la in la*) S=1 ;& *) S=7 ;; esac\nrun $S",
            "$S: it is set under a `case` that only running the script decides",
        ),
        ("S=1\nread S T\nrun $S", "$S: it is set by `read`"),
        ("S=1\nsource env.sh\nrun $S", "$S: it is set by `source env.sh`"),
        ("S=1\nlet S=2\nrun $S", "$S: it is set by `let`"),
        ("S=1\n((S=S*2))\nrun $S", "$S: it is set by `(( ))`"),
        ("S=1\nunset S\nrun $S", "$S: the file does not set it"),
        ("A=1\nB=\"--lr $LR $MORE\"\nrun a $B", "$LR: the file does not set it"),
    ] {
        assert_eq!(unknown(text), said, "{text}");
    }
}

#[test]
fn no_text_is_too_much() {
    for text in [
        "f() { f; f; }\nf\n".to_owned(),
        "A=aaaaaaaaaaaaaaaa\n".to_owned() + &"A=$A$A\n".repeat(100),
        "if true; then ".repeat(10_000),
        "${a:-".repeat(10_000) + &"}".repeat(10_000),
        "case x in ".repeat(10_000),
        "x $((".to_owned() + &"(".repeat(10_000),
    ] {
        assert!(script(&text).is_err(), "{}", &text[..20]);
    }
    for text in [
        "'a",
        "\"a",
        "`a",
        "$((a",
        "$(a",
        "${a",
        "A=(a",
        "A=(a; b)",
        "if true; then a",
        "for a in b; do c",
        "case a in",
        "{ a",
        "(a",
        "[[ a",
        "((a",
    ] {
        assert!(script(text).is_err(), "{text}");
    }
    assert!(script("$((\u{e9}) \u{e9})").is_ok());
}
