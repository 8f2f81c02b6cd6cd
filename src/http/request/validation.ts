import type { z } from 'zod'
import { boundWords } from './bound-words.ts'

/** One entry of the 422 body that FastAPI clients know. */
export type ValidationIssue = { loc: (string | number)[]; msg: string; type: string }

export class ValidationError extends Error {
  readonly issues: readonly ValidationIssue[]
  constructor(issues: readonly ValidationIssue[]) {
    super('the request does not fit its schema')
    this.name = 'ValidationError'
    this.issues = issues
  }
}

type ZodIssue = z.core.$ZodIssue

const TYPES: Partial<Record<ZodIssue['code'], string>> = {
  too_big: 'less_than_equal',
  too_small: 'greater_than_equal',
  invalid_value: 'enum',
  invalid_format: 'string_pattern_mismatch',
  unrecognized_keys: 'extra_forbidden',
}

/** `place` says where a top-level field was sent: path, query or body. */
export function issuesOf(error: z.ZodError, place: (name: string) => string): ValidationIssue[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    return {
      loc: [place(String(path[0] ?? '')), ...path],
      msg: isMissing ? 'is required' : wordsOf(issue),
      type: isMissing ? 'missing' : (TYPES[issue.code] ?? 'value_error'),
    }
  })
}

/** A choice and a bound in our own words; a schema that has words of its own keeps them. */
function wordsOf(issue: ZodIssue): string {
  const isOfBound =
    (issue.code === 'too_big' || issue.code === 'too_small') && /^Too (big|small)/.test(issue.message)
  if (isOfBound) return boundWords(issue)
  if (issue.code !== 'invalid_value' || !issue.message.startsWith('Invalid ')) return issue.message
  const choices = issue.values.map(String)
  return choices.length === 1 ? `must be ${choices[0]}` : `must be one of ${choices.join(', ')}`
}
