import { z } from 'zod'

// Texts and lists with a bound. zod's own `max` and `min` also run on values of another type that have a `length`, and
// throw on `{"length": {"valueOf": 1, "toString": 1}}`; a refinement only sees what has the right type.

export const wireText = (maxChars: number, minChars = 0) =>
  z
    .string()
    .refine(
      ({ length }) => length >= minChars && length <= maxChars,
      `expected a text of ${minChars} to ${maxChars} characters`,
    )

export const wireArray = <Item extends z.ZodType>(item: Item, maxItems: number, minItems = 0) =>
  z
    .array(item)
    .refine(
      ({ length }) => length >= minItems && length <= maxItems,
      `expected ${minItems} to ${maxItems} items`,
    )
