"""A tidy layout from its definition: rectangles moved until they stand apart, every pair looked at."""


def naive_centres(above, widths, gap):
    """Place the middles of boxes as `treewright.export.layout.centres` must."""
    children = {at: [] for at in range(len(above))}
    for at, parent in enumerate(above):
        if parent >= 0:
            children[parent].append(at)

    def subtree(at):
        """List (box, level, middle) of a subtree, its root in 0 on level 0."""
        parts = [subtree(child) for child in children[at]]
        shifts = shifts_of(parts)
        below = [
            (box, level + 1, middle + shift)
            for part, shift in zip(parts, shifts, strict=True)
            for box, level, middle in part
        ]
        return [(at, 0, 0.0), *below]

    def shifts_of(parts):
        if not parts:
            return []
        left = pushed(parts)
        mirrored = [[(box, level, -middle) for box, level, middle in part] for part in reversed(parts)]
        right = [-shift for shift in reversed(pushed(mirrored))]
        left = [shift - left[0] for shift in left]
        right = [shift - right[0] for shift in right]
        between = [(a + b) / 2 for a, b in zip(left, right, strict=True)]
        return [shift - between[-1] / 2 for shift in between]

    def pushed(parts):
        shifts, placed = [], []
        for part in parts:
            shift = max(
                (
                    other_middle + widths[other] / 2 + gap + widths[box] / 2 - middle
                    for other, other_level, other_middle in placed
                    for box, level, middle in part
                    if level == other_level
                ),
                default=0.0,
            )
            shifts.append(shift)
            placed += [(box, level, middle + shift) for box, level, middle in part]
        return shifts

    places = {box: middle for box, _, middle in subtree(0)}
    start = min(places[at] - widths[at] / 2 for at in places)
    return [places[at] - start for at in range(len(above))]
