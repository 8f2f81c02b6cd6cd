import { z } from 'zod'

/** Schemas say what a value of ours looks like; another release, or a stranger, may have written what is there. */
export const maybe = <T extends z.ZodType>(schema: T) => schema.optional()

/** Every field of `T` must be named; what is read keeps its type. */
export const shape =
  <T>() =>
  (fields: Readonly<Record<keyof T, z.ZodType>>): z.ZodType<T> =>
    z.object(fields) as unknown as z.ZodType<T>

export const number = z.number()
export const text = z.string()
export const flag = z.boolean()
const Level = z.tuple([number, number])
export const Levels = z.array(Level)
