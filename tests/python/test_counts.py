"""The two counters of collectives: of StableHLO text, and of the HLO that XLA runs."""
import pathlib
import unittest

import collectives
import ring_bytes
import tally

HERE = pathlib.Path(__file__).resolve().parent


class RingBytes(unittest.TestCase):
    def test_formulas(self):
        # Four devices, a result of 32 bytes each.
        expected = dict(all_reduce=48, all_gather=24, reduce_scatter=96, all_to_all=24, collective_permute=32)
        self.assertEqual({kind: tally.ring_bytes(kind, 32, 4) for kind in expected}, expected)
        self.assertEqual(tally.ring_bytes("all_reduce", 32, 1), 0)


class Text(unittest.TestCase):
    def test_loop_calls_and_every_kind(self):
        report = ring_bytes.count((HERE / "loop.mlir").read_text())
        numbers = {kind: row["number"] for kind, row in report["collectives"].items()}
        self.assertEqual(numbers, dict(all_reduce=5, all_gather=5, reduce_scatter=5, all_to_all=1, collective_permute=5))
        # 256 bytes in pairs; 256 over eight devices thrice; 256 as they are; all five times, then 256 once.
        self.assertEqual(report["ring_bytes"], 5 * (256 + 224 + 224 + 256) + 224)

    def test_sizes(self):
        self.assertEqual(ring_bytes.tensor_bytes("tensor<4x8xbf16>, tensor<f32>"), 68)
        self.assertEqual(ring_bytes.tensor_bytes("tensor<3xi1>, tensor<2xcomplex<f32>>, tensor<5xf8E4M3FN>"), 24)

    def test_what_would_be_a_guess_is_refused(self):
        text = (HERE / "loop.mlir").read_text()
        for old, new in [
            ("%limit = stablehlo.constant dense<12>", "%limit = stablehlo.negate %start"),
            ("%start = stablehlo.constant dense<2>", "%start = stablehlo.negate %zero"),
            ("%step = stablehlo.constant dense<2>", "%step = stablehlo.negate %counter"),
            ("@body(%arg0", "@other(%arg0"),
            ("  func.func private", "  }\n  func.func private"),
        ]:
            self.assertIn(old, text)
            with self.assertRaises(ring_bytes.Unsupported, msg=old):
                ring_bytes.count(text.replace(old, new))


class Hlo(unittest.TestCase):
    def test_group_sizes(self):
        for groups, size in [
            ("replica_groups={{0,1},{2,3}}", 2),
            ("replica_groups=[2,4]<=[8]", 4),
            ("replica_groups=[4,2]<=[2,4]T(1,0)", 2),
            ("replica_groups=mesh['data'=2,'model'=4]{'model'}", 4),
            ("replica_groups=mesh['data'=2,'model'=4]{'data','model':(2)2}", 4),
            ("replica_groups={}", 8),
        ]:
            self.assertEqual(collectives.group_size(f"all-reduce(x), {groups}, to_apply=add", 8), size, groups)

    def test_loops_and_starts(self):
        hlo = """HloModule m
%add (a: f32[], b: f32[]) -> f32[] {
  ROOT %s = f32[] add(%a, %b)
}
%body (p: (s32[], f32[4])) -> (s32[], f32[4]) {
  %r = f32[4]{0} all-reduce(%x), replica_groups={{0,1}}, to_apply=%add
}
ENTRY %main (p: f32[4]) -> f32[4] {
  %w = (s32[], f32[4]{0}) while(%t), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"3"}}
  %g = (f32[4]{0}, f32[8]{0}) all-gather-start(%y), replica_groups={{0,1}}, dimensions={0}
  ROOT %d = f32[8]{0} all-gather-done(%g)
}
"""
        report = collectives.count(hlo, 2)
        self.assertEqual(report["collectives"]["all_reduce"], dict(number=3, bytes=48, ring_bytes=48))
        self.assertEqual(report["collectives"]["all_gather"], dict(number=1, bytes=32, ring_bytes=16))
        with self.assertRaises(ValueError):
            collectives.count(hlo.replace("known_trip_count", "other"), 2)
