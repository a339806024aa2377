"""A stored solution of `all-by-size`: one random laying in ten takes over ten seconds.

Each seed turns it another way and lays many of its parts anew.
"""

from typing import Final

import numpy as np

from firmware.player.search.laying import Laying, new_laying, vary
from firmware.player.search.tables import tables
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Variant

_STEPS: Final = 4000
"""Windows that are tried: 1 s, after which a fifth of the pieces lies elsewhere."""


def varied(game: Variant, seed: int) -> Laying:
    """A solution of the empty board; each seed gives another one."""
    chance = np.random.default_rng(seed)
    position = Position.start(game)
    for colour, hand in zip(chance.permutation(len(_HANDS)).tolist(), _HANDS, strict=True):
        for text in hand.split():
            position = position.put(Move.parse(text, game.size), colour)
    position = position.transformed(int(chance.integers(4)), mirrored=bool(chance.integers(2)))
    laying = new_laying(position, seed)
    assert laying is not None, "every colour covers its start"
    laying.fixed[:] = 0
    vary(tables(game.size), laying, _STEPS)
    return laying


_HANDS: Final = (
    (
        "a17,a18,b18,a19,a20 c19,d19,c20,d20,e20 e16,d17,e17,f17,e18 h13,h14,f15,g15,h15 "
        "e11,e12,f12,g12,e13 d9,e9,f9,f10,g10 b6,c6,b7,b8,c8 d3,c4,d4,d5,e5 d7,e7,f7,g7,h7 "
        "i16,h17,i17,g18,h18 i19,i20,j20,k20,l20 o17,m18,n18,o18,m19 a9,a10,a11,a12 "
        "p19,p20,q20,r20 s17,r18,s18,s19 h9,i9,i10,j10 c14,d14,c15,d15 a2,b2,c2 g3,f4,g4 "
        "m16,n16 t16 "
    ),
    (
        "q1,r1,s1,t1,t2 m1,n1,n2,o2,p2 s3,s4,r5,s5,s6 q3,o4,p4,q4,o5 m6,n6,l7,m7,m8 "
        "k3,l3,k4,l4,l5 f5,g5,h5,i5,j5 l9,l10,m10,m11,n11 o12,p12,q12,p13,p14 "
        "m13,n13,m14,m15,n15 q8,q9,o10,p10,q10 q15,p16,q16,r16,q17 d2,e2,e3,e4 a3,b3,c3,b4 "
        "a5,a6,a7,a8 j11,k11,i12,j12 b9,c9,b10,c10 d8,e8,f8 r13,s13,s14 f1,g1 q6 "
    ),
    (
        "t17,t18,t19,s20,t20 t13,t14,s15,t15,s16 p17,p18,q18,q19,r19 n14,o14,o15,p15,o16 "
        "n19,o19,m20,n20,o20 l15,l16,l17,m17,n17 i13,j13,k13,i14,k14 h10,f11,g11,h11,h12 "
        "j17,i18,j18,k18,j19 s9,r10,s10,s11,s12 i7,g8,h8,i8,g9 d6,e6,f6,g6,h6 k5,j6,k6,l6 "
        "h3,h4,i4,j4 d10,e10,c11,d11 b12,b13,b14,b15 g19,h19,g20,h20 c16,c17,c18 m4,m5,n5 "
        "f13,g13 t8 "
    ),
    (
        "a1,b1,c1,d1,e1 h1,f2,g2,h2,f3 j2,k2,l2,i3,j3 m3,n3,o3,p3,n4 q2,r2,s2,r3,r4 "
        "p5,q5,p6,p7,q7 n8,o8,m9,n9,n10 o11,p11,q11,r11,r12 j7,k7,j8,k8,l8 l12,m12,n12,l13,l14 "
        "s7,t7,r8,s8,r9 j14,i15,j15,k15,j16 t9,t10,t11,t12 f16,g16,h16,g17 e14,f14,g14,e15 "
        "q13,q14,r14,r15 c12,d12,c13,d13 t3,t4,t5 f18,e19,f19 o1,p1 o13 "
    ),
)
"""The moves of each colour."""
