import type { z } from 'zod'
import type { Part } from '../../intel/part.ts'
import { type PartFields, toPartFields } from '../part-fields.ts'

/** A part that is made of others, which says why it is aged. */
export type BundlePart<T> = Part<T> & { agedBecause?: string | undefined }

type Behind = { name: string; part: Part<unknown> }

/** What is not fresh, each name once; undefined where all is. */
export function whyAged(behind: readonly Behind[]): string | undefined {
  const said = new Map<string, string>()
  for (const { name, part } of behind) {
    if (part.status === 'fresh' || said.has(name)) continue
    said.set(name, part.status === 'missing' ? `${name} is missing: ${part.reason}` : `${name} is aged`)
  }
  return said.size === 0 ? undefined : [...said.values()].join('; ')
}

export function toBundlePart(
  part: BundlePart<unknown>,
  sourceOf: (source: string) => string,
): z.input<typeof PartFields> {
  const fields = toPartFields(part, sourceOf)
  return part.status === 'aged' ? { ...fields, reason: part.agedBecause ?? 'older than usual' } : fields
}
