import { describe, expect, test } from 'vitest'
import { createSeeded } from '../../testing/seeded.ts'
import { compare } from './comparison.ts'
import { createWindowSums, type Scored } from './window-sums.ts'

type Draw = { windowS: number; p: number; up: number }

/** Four coins that mostly move together, said with some skill. */
function drawWindows(count: number, seed: number, skill = 0.1): Draw[] {
  const random = createSeeded(seed)
  return Array.from({ length: count }, (_, n) => n).flatMap((n) => {
    const isUp = random.chance(0.5)
    const coins = Array.from({ length: random.between(1, 4) }, () => (random.chance(0.9) ? isUp : !isUp))
    return coins.map((came) => {
      const lean = random.chance(0.5 + skill) === came
      return { windowS: n * 300, p: lean ? 0.6 : 0.4, up: came ? 1 : 0 }
    })
  })
}

const scoredOf = ({ p, up }: Draw): Scored => ({
  brier: (p - up) ** 2,
  logLoss: -Math.log(up ? p : 1 - p),
  ups: up,
  count: 1,
})

function compared(draws: readonly Draw[]) {
  const sums = createWindowSums()
  for (const draw of draws) sums.add(draw.windowS, scoredOf(draw))
  const figures = {
    brier: sums.mean({ brier: 1 }),
    log_loss: sums.mean({ logLoss: 1 }),
    base_rate: sums.mean({ ups: 1 }),
  }
  return compare(figures, sums)
}

/** The same by keeping every window. */
function slowError(draws: readonly Draw[], of: (draw: Draw) => number): number {
  const mean = draws.reduce((sum, draw) => sum + of(draw), 0) / draws.length
  const windows = [...Map.groupBy(draws, ({ windowS }) => windowS).values()]
  const squares = windows.map((each) => each.reduce((sum, draw) => sum + of(draw) - mean, 0) ** 2)
  const sum = squares.reduce((all, square) => all + square, 0)
  return Math.sqrt((sum * windows.length) / (windows.length - 1)) / draws.length
}

describe('our scores beside baselines', () => {
  test('what always saying the same scores, and our difference from it, follow from every single window', () => {
    const draws = drawWindows(200, 1)
    const { windows, ours, baselines } = compared(draws)
    expect(windows).toBe(200)
    expect(baselines.map(({ name }) => name)).toEqual(['coin_flip', 'base_rate'])
    const rate = draws.reduce((sum, { up }) => sum + up, 0) / draws.length
    for (const [n, p] of [0.5, rate].entries()) {
      const brierOf = (draw: Draw) => scoredOf(draw).brier - (p - draw.up) ** 2
      const lossOf = (draw: Draw) => scoredOf(draw).logLoss + Math.log(draw.up ? p : 1 - p)
      for (const [name, of] of [
        ['brier', brierOf],
        ['log_loss', lossOf],
      ] as const) {
        const { value, low, high } = baselines[n]?.difference[name] ?? { value: 0, low: 0, high: 0 }
        expect(value).toBeCloseTo(draws.reduce((sum, draw) => sum + of(draw), 0) / draws.length, 12)
        expect(((high ?? 0) - (low ?? 0)) / 2).toBeCloseTo(1.959964 * slowError(draws, of), 10)
        expect(ours?.[name].value).toBeCloseTo(value + (baselines[n]?.scores[name] ?? 0), 12)
      }
    }
    expect(baselines[0]?.scores).toEqual({ brier: 0.25, log_loss: expect.closeTo(Math.log(2), 12) })
  })

  test('the order in which coins of a window are revealed does not matter', () => {
    const draws = drawWindows(60, 2)
    const mixed = draws.toSorted(
      (a, b) => Math.floor(a.windowS / 1500) - Math.floor(b.windowS / 1500) || a.up - b.up,
    )
    expect(mixed).not.toEqual(draws)
    expect(compared(mixed).ours?.brier.low).toBeCloseTo(compared(draws).ours?.brier.low ?? 0, 10)
  })

  test('the interval of a forecaster without skill has zero in it as often as it says', () => {
    const trials = 400
    const isCovered = (seed: number) => {
      // A coin flip that says 0.6 or 0.4 at random is worse than one that says 0.5, by 0.01 exactly.
      const { low, high } = compared(drawWindows(60, seed, 0)).baselines[0]?.difference.brier ?? {}
      return (low ?? 1) <= 0.01 && 0.01 <= (high ?? 0)
    }
    const covered = Array.from({ length: trials }, (_, n) => isCovered(n + 1)).filter(Boolean).length
    expect(covered / trials).toBeGreaterThan(0.91)
    expect(covered / trials).toBeLessThan(0.98)
  })

  test('few windows have no interval, none has no figures', () => {
    expect(compared(drawWindows(29, 3)).ours?.brier).toMatchObject({ low: null, high: null })
    expect(compared(drawWindows(30, 3)).ours?.brier.low).toBeTypeOf('number')
    const nothing = { brier: null, log_loss: null, base_rate: null }
    expect(compare(nothing, createWindowSums())).toEqual({ windows: 0, ours: null, baselines: [] })
  })

  test('outcomes of one kind only have finite figures', () => {
    const { baselines } = compared(drawWindows(40, 4).map((draw) => ({ ...draw, up: 1 })))
    expect(baselines[1]?.scores.brier).toBe(0)
    expect(baselines[1]?.difference.log_loss.high).toBeTypeOf('number')
  })
})
