const STEPS = [1, 2, 5, 10]
/** Less is nothing: no figure of ours has as many digits. */
const LEAST = 1e-9

/** Round values from 0 to the first that is not below `max`, in about `about` steps. Counts have no step below 1. */
export function niceTicks(max: number, { about = 4, isCount = false } = {}): number[] {
  const top = Number.isFinite(max) && max > LEAST ? max : 1
  const rough = top / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const nice = (STEPS.find((step) => step * power >= rough) ?? 10) * power
  const step = isCount ? Math.max(1, nice) : nice
  const count = Math.max(1, Math.ceil(top / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12)))
}
