import { z } from 'zod'
import { countText } from '../../core/count-text.ts'
import type { Comparison } from '../../record/scores/comparison.ts'
import { Count } from './fields.ts'

/** A day. Over fewer windows chance alone moves a score by more than a good model gains. */
export const ENOUGH_WINDOWS = 288

const VERDICTS = ['too_few_windows', 'better', 'worse', 'indistinguishable'] as const

export const Finding = z.object({
  verdict: z
    .enum(VERDICTS)
    .describe('Our Brier score against that of a coin flip: whether the whole interval lies on one side'),
  words: z.string().describe('The same as a sentence'),
  windows: Count.describe('Windows with a scored prediction'),
  windows_missing: Count.describe('Windows to come before the figures mean something'),
})

/** What the record shows today. The same rule whether it speaks for us or against us. */
export function findingOf({ windows, ours, baselines }: Comparison, scored: number): z.input<typeof Finding> {
  const missing = Math.max(0, ENOUGH_WINDOWS - windows)
  const { low, high } = baselines.find(({ name }) => name === 'coin_flip')?.difference.brier ?? {}
  const tell = (verdict: (typeof VERDICTS)[number], words: string) => ({
    verdict,
    words,
    windows,
    windows_missing: missing,
  })
  if (!ours || missing > 0 || low == null || high == null)
    return tell(
      'too_few_windows',
      `${windows === 0 ? 'No window has been scored yet' : `${countText(windows, 'window')} scored so far`}: it takes ${ENOUGH_WINDOWS.toLocaleString('en')}, a day of them, before a score says more than chance. ${countText(missing, 'window')} still to come.`,
    )
  const over = `Over ${countText(scored, 'prediction')} in ${countText(windows, 'window')} our probability was`
  if (high < 0) return tell('better', `${over} better than a coin flip.`)
  if (low > 0) return tell('worse', `${over} worse than a coin flip.`)
  return tell('indistinguishable', `${over} indistinguishable from a coin flip.`)
}
