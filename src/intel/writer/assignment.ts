import type { z } from 'zod'
import type { Fact } from './fact.ts'

/** A text that is wanted, and everything that it may say. */
export type Assignment<Draft extends z.ZodType = z.ZodType> = {
  /** `diagnosis`: texts of one kind have one task and one shape. */
  kind: string
  /** What to write and how, in our words. */
  task: string
  /** Words of ours that the text must keep to, such as a verdict. */
  given: Readonly<Record<string, string>>
  facts: readonly Fact[]
  draft: Draft
  /** What is wrong with a draft that has the right shape; undefined where nothing is. */
  findFault(draft: z.output<Draft>): string | undefined
  /** The same by rules: always there, and never refused. */
  byRules(): z.output<Draft>
}

/** Why rules wrote the text although a model is meant to. */
export const FALLBACK_REASONS = [
  'no_model',
  'budget_spent',
  'model_unavailable',
  'model_late',
  'model_refused',
  'text_refused',
] as const
export type FallbackReason = (typeof FALLBACK_REASONS)[number]

export const BY_RULES = 'rules'

export type Written<Draft> = {
  draft: Draft
  /** `rules`, or the name of the model. */
  writtenBy: string
  fallbackReason: FallbackReason | undefined
}
