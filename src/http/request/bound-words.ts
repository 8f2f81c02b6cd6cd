import type { z } from 'zod'
import { countText } from '../../core/count-text.ts'

type Bound = z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall

const UNITS: Partial<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['entry', 'entries'],
}

/** What a value beyond its bound must be. */
export function boundWords(issue: Bound): string {
  const isTooBig = issue.code === 'too_big'
  const bound = isTooBig ? issue.maximum : issue.minimum
  const unit = UNITS[issue.origin]
  const amount = unit ? countText(Number(bound), ...unit) : String(bound)
  const verb = unit ? 'must have' : 'must be'
  if (issue.exact) return `${verb} exactly ${amount}`
  const side = isTooBig ? ['at most', 'less than'] : ['at least', 'more than']
  return `${verb} ${side[issue.inclusive === false ? 1 : 0]} ${amount}`
}
