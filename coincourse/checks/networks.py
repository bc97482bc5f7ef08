"""Networks: the forward pass, and a way to show a state."""

from .engine import exercise

# --- the forward pass ------------------------------------------------------------------------------------


def _squash(total):
    return total / (1 + abs(total))


def _as_it_is(total):
    return total


HIDDEN_UNITS = [([1.0, -2.0, 0.5], 0.25), ([-1.0, 0.0, 3.0], -1.0)]
STATES = [[0, 0, 0], [1, 0, 0], [0, 1, 1], [0.5, -1, 1], [-1, -1, 1], [2, 1, -3]]


@exercise(
    cases=[([1], [([3.0], 0.0)], ([1.0], 0.0)), ([1], [([3.0], 1.0)], ([4.0], -2.0))]
    + [
        (shown, HIDDEN_UNITS, output_unit)
        for shown in STATES
        for output_unit in (([2.0, -1.0], 0.5), ([-4.0, 1.0], 0.0))
    ],
    given="a state shown as {}, the hidden units {} and the output unit {}",
    praise="with one hidden unit and with two",
)
def forward_pass(shown, hidden_units, output_unit, *, inside=_squash, outside=_squash, share=1):
    """The output of a network: each unit multiplies by its weights, adds up with its own number, and squashes."""

    def value(numbers, unit, squashed):
        weights, added = unit
        products = [number * weight for number, weight in zip(numbers, weights)]
        return squashed(sum(products) + share * added)

    hidden = [value(shown, unit, inside) for unit in hidden_units]
    return value(hidden, output_unit, outside)


forward_pass.slip("The totals of the hidden units are not squashed.", inside=_as_it_is)
forward_pass.slip("The total of the output unit is not squashed.", outside=_as_it_is)
forward_pass.slip("No total is squashed.", inside=_as_it_is, outside=_as_it_is)
forward_pass.slip("The number that each unit adds is missing.", share=0)


# --- a way to show a state ------------------------------------------------------------------------------


@exercise(
    cases=[((0,), 1), ((1,), 1), ((2,), 2), ((1, 0), 2), ((3, 1, 6), 3), ((7, 7, 7), 3), ((0, 0, 0), 3), ((5, 12), 4)],
    given="state={}, places={}",
    praise="for one pile and for several, with zeros in front",
)
def show_signs(state, places, *, zero=-1, largest_first=True, digits=lambda count, places: places):
    """The binary digits of each pile, the largest digit first, with -1 instead of 0."""
    shown = []
    for count in state:
        order = list(range(digits(count, places)))
        if largest_first:
            order.reverse()
        for place in order:
            one = count >> place & 1
            shown.append(1 if one else zero)
    return shown


show_signs.slip("A digit 0 is shown as -1, not as 0.", zero=0)
show_signs.slip("The largest digit comes first: 6 is 110.", largest_first=False)
show_signs.slip("The largest digit comes first, and a digit 0 is shown as -1.", largest_first=False, zero=0)
show_signs.slip(
    "Each pile has the same number of digits: put zeros in front.", digits=lambda count, places: len(f"{count:b}")
)
