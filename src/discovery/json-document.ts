import type { z } from 'zod'
import type { Rendering } from '../catalog/endpoints/document.ts'
import type { Site } from '../catalog/site.ts'

export const MARKDOWN = 'text/markdown'

/** JSON for machines that people also read with curl, hence the indent. `build` is checked against `schema` by the compiler. */
export function json<Schema extends z.ZodType>(options: {
  schema: Schema
  build: (site: Site) => z.input<Schema>
  mediaType?: string
  /** Leaves out of the example what would drown it. */
  brief?: (whole: z.input<Schema>) => z.input<Schema>
}): Rendering<Site> {
  const { schema, build, mediaType = 'application/json', brief = (whole) => whole } = options
  return {
    mediaType,
    schema,
    render: (site) => `${JSON.stringify(build(site), null, 2)}\n`,
    example: (site) => shorten(brief(build(site))),
  }
}

export function text(mediaType: string, render: (site: Site) => string): Rendering<Site> {
  return { mediaType, render, example: (site) => firstLines(render(site)) }
}

export const markdown = (render: (site: Site) => string): Rendering<Site> => text(MARKDOWN, render)

const EXAMPLE_LINES = 4
const EXAMPLE_ITEMS = 1
const EXAMPLE_ADDRESSES = 2

function firstLines(whole: string): string {
  return whole.split('\n').slice(0, EXAMPLE_LINES).join('\n')
}

/** Keeps the shape: one item of each list, two entries of each map by address. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, EXAMPLE_ITEMS).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isByAddress = entries.length > 0 && entries.every(([key]) => key.startsWith('/'))
  const kept = isByAddress ? entries.slice(0, EXAMPLE_ADDRESSES) : entries
  return Object.fromEntries(kept.map(([key, entry]) => [key, shorten(entry)]))
}
