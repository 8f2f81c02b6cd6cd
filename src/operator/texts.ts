import { z } from 'zod'

// In ranges, which every reader of the OpenAPI document knows.
/** In one pattern, because two would make a union of the schema. */
const SEEN_LINE = /^(?=\s*\S)[ -~\u00a0-\uffff]*$/
/** Lines are allowed in what is longer than a line. */
const NO_CONTROL_BUT_LINES = /^[ -~\u00a0-\uffff\n\t]*$/

/** A line that somebody wrote, shown to others as it is. */
export const Line = (max: number) =>
  z.string().min(1).max(max).regex(SEEN_LINE, 'must not be blank, and must have no control characters')

export const Paragraph = (max: number) =>
  z.string().max(max).regex(NO_CONTROL_BUT_LINES, 'must have no control characters but line ends and tabs')
