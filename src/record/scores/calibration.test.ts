import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verdictOf } from '../../signals/signal.ts'
import { entryOf, type WindowLeaf } from '../log/leaf.ts'
import { calibrate } from './calibration.ts'
import { createTallies } from './tally.ts'

const at = '2026-01-05T12:00:00.000Z'
function revealed(p: number, outcome: 'UP' | 'DOWN' | 'unknown', abstain = false): WindowLeaf {
  const { direction, confidence } = verdictOf(p, 0)
  const prediction = {
    coin: 'BTC',
    window_start: 0,
    as_of: at,
    probability_up: p,
    direction,
    confidence,
    abstain,
    regime: 'neutral',
    model: 'm',
  } as const
  return {
    ...entryOf('BTC', 0),
    kind: 'reveal',
    revealed_at: at,
    salt: '',
    prediction,
    open: null,
    close: null,
    outcome,
    hit: outcome === 'unknown' ? null : outcome === direction,
    reason: null,
  }
}
function figuresOf(leaves: readonly WindowLeaf[]) {
  const tallies = createTallies(() => false)
  for (const leaf of leaves) tallies.apply(leaf)
  return calibrate(tallies.all)
}

describe('calibration', () => {
  test('scores by hand: two hits of three calls, one abstained, one unknown', () => {
    const figures = figuresOf([
      revealed(0.7, 'UP'),
      revealed(0.6, 'DOWN'),
      revealed(0.2, 'DOWN'),
      revealed(0.5, 'UP', true),
      revealed(0.9, 'unknown'),
    ])
    expect(figures).toMatchObject({
      revealed: 5,
      unknown: 1,
      scored: 4,
      called: 3,
      hits: 2,
      base_rate: 0.5,
      bins: [],
      ece: null,
    })
    expect(figures.hit_rate).toBeCloseTo(2 / 3)
    expect(figures.abstain_share).toBeCloseTo(1 / 5)
    expect(figures.brier).toBeCloseTo((0.09 + 0.36 + 0.04 + 0.25) / 4)
    expect(figures.log_loss).toBeCloseTo(-(Math.log(0.7) + Math.log(0.4) + Math.log(0.8) + Math.log(0.5)) / 4)
    expect(figures.skill).toBeCloseTo(1 - 0.185 / 0.25)
  })

  test('a sure prediction that failed costs much, but not everything', () => {
    expect(figuresOf([revealed(1, 'DOWN')]).log_loss).toBeCloseTo(-Math.log(1e-6))
    expect(figuresOf([revealed(1, 'DOWN')]).skill).toBeNull()
  })

  test('bins are of equal mass, cover everything and do not overlap', () => {
    const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 600,
    })
    fc.assert(
      fc.property(probabilities, (ps) => {
        const { bins, scored } = figuresOf(ps.map((p) => revealed(p, p > 0.4 ? 'UP' : 'DOWN')))
        const wanted = Math.min(10, Math.floor(scored / 20))
        expect(bins.length).toBeLessThanOrEqual(wanted)
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(wanted === 0 ? 0 : scored)
        bins.forEach((bin, n) => {
          expect(bin.lowest).toBeGreaterThanOrEqual(bins[n - 1]?.highest ?? 0)
          expect(bin.mean_probability).toBeGreaterThanOrEqual(bin.lowest - 1e-9)
          expect(bin.mean_probability).toBeLessThanOrEqual(bin.highest + 1e-9)
        })
      }),
    )
    const evenly = figuresOf(Array.from({ length: 400 }, (_, n) => revealed(n / 400, 'UP')))
    expect(evenly.bins.map(({ count }) => count)).toEqual(new Array(10).fill(40))
  })

  test('the error of honest probabilities is about the noise floor, that of boasting ones far above', () => {
    const worlds = Array.from({ length: 4_000 }, (_, n) => ({
      p: 0.3 + 0.4 * ((n * 0.618034) % 1),
      dice: (n * 0.754877) % 1,
    }))
    const honest = figuresOf(worlds.map(({ p, dice }) => revealed(p, dice < p ? 'UP' : 'DOWN')))
    const boasting = figuresOf(
      worlds.map(({ p, dice }) => revealed(p > 0.5 ? 0.9 : 0.1, dice < p ? 'UP' : 'DOWN')),
    )
    expect(honest.ece ?? 1).toBeLessThan(2 * (honest.ece_noise_floor ?? 0))
    expect(boasting.ece ?? 0).toBeGreaterThan(10 * (boasting.ece_noise_floor ?? 1))
  })
})
