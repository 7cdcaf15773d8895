"""A figure that a notebook shows by itself."""

from io import BytesIO

from matplotlib.figure import Figure


class Picture(Figure):
    """A figure that no window knows; as the last value of a notebook's cell it is shown once."""

    def _repr_png_(self) -> bytes:
        from estoc.sim.drawing import fitting_dpi, style, translate_figure

        buffer = BytesIO()
        dpi = fitting_dpi(self, self.dpi)
        with style():
            translate_figure(self)
            self.savefig(buffer, format="png", dpi=dpi, bbox_inches="tight")
        return buffer.getvalue()
