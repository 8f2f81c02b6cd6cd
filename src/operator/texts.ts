import { z } from 'zod'

// In ranges, which every reader of the OpenAPI document knows.
const NO_CONTROL = /^[ -~\u00a0-\uffff]*$/
/** Lines are allowed in what is longer than a line. */
const NO_CONTROL_BUT_LINES = /^[ -~\u00a0-\uffff\n\t]*$/
const NOT_BLANK = /\S/

/** A line that somebody wrote, shown to others as it is. */
export const Line = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(NO_CONTROL, 'must have no control characters')
    .regex(NOT_BLANK, 'must not be blank')

export const Paragraph = (max: number) =>
  z.string().max(max).regex(NO_CONTROL_BUT_LINES, 'must have no control characters but line ends and tabs')
