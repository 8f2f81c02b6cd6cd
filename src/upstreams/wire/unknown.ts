import { z } from 'zod'

// Fields that carry neither money nor identity. What they hold that cannot be is unknown: it must not cost the reply
// that they stand in.

/** Undefined where the value breaks the format. */
export const orUnknown = <Field extends z.ZodType>(field: Field) =>
  z
    .unknown()
    .optional()
    .transform((value): z.output<Field> | undefined => {
      const parsed = field.safeParse(value)
      return parsed.success ? parsed.data : undefined
    })

/** A text for people, cut off where it is too long; empty where there is none. */
export const shownWords = (maxChars: number) =>
  z
    .unknown()
    .optional()
    .transform((value) => (typeof value === 'string' ? value.slice(0, maxChars) : ''))
