import { z } from 'zod'
import { free, operator, paid, wallet } from '../../catalog/access.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { defineRedirect } from '../../catalog/endpoints/document.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { defineProtocol } from '../../catalog/endpoints/protocol.ts'
import type { Group } from '../../catalog/group.ts'
import type { Site } from '../../catalog/site.ts'
import { usd } from '../../core/money.ts'
import { documents } from '../../discovery/documents.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import { createTerms } from '../../payments/challenge/terms.ts'

/** A shop as unlike ours as the vocabulary allows: no test may pass because of a path or a price typed in discovery. */
const harbour = defineEndpoint({
  id: 'test.harbour',
  method: 'GET',
  path: '/harbours/{name}',
  aliases: [{ path: '/home-harbour', preset: { name: 'hull' } }, '/ports/{name}'],
  access: paid(usd('0.0125')),
  summary: 'Water level of a harbour',
  description: 'The level of the water in a harbour, in centimetres above | below the mark of the harbour.',
  params: z.object({
    name: z.string().min(2).describe('Name of the harbour'),
    unit: z.enum(['cm', 'ft']).default('cm').describe('Unit of the level'),
  }),
  sample: { name: 'deal & dover', unit: 'ft' },
  response: z.object({ name: z.string(), level: z.number(), timestamp: z.iso.datetime() }),
  example: { name: 'deal & dover', level: 4.5, timestamp: '2026-01-05T12:00:00.000Z' },
  tool: 'get_harbour',
  handle: () => ({ name: 'x', level: 1, timestamp: '2026-01-05T12:00:00.000Z' }),
})

type Node = { name: string; parts: Node[] }
const Node: z.ZodType<Node> = z.lazy(() => z.object({ name: z.string(), parts: z.array(Node) }))

const tides = defineEndpoint({
  id: 'test.tides',
  method: 'GET',
  path: '/tides',
  access: free,
  summary: 'Tides of the next days',
  description: 'When the water is high and low, as a tree of days and hours.',
  params: z.object({
    days: z.int().min(1).max(7).default(2).describe('How many days'),
    from: z.string().describe('First day'),
  }),
  sample: { from: '2026-01-05' },
  response: z.object({ root: Node, note: z.string().nullable() }),
  example: { root: { name: 'days', parts: [{ name: 'monday', parts: [] }] }, note: null },
  isOutage: () => false,
  handle: () => ({ root: { name: 'days', parts: [] }, note: null }),
})

const logbook = defineEndpoint({
  id: 'test.logbook',
  method: 'POST',
  paramsIn: 'body',
  path: '/tides',
  access: free,
  summary: 'Writes a line into the logbook',
  description: 'Keeps one line of text, with who wrote it where they say so.',
  params: z.object({ line: z.string().min(1).describe('The line'), author: z.string().optional() }),
  sample: { line: "it's foggy" },
  response: z.object({ stored: z.boolean() }),
  example: { stored: true },
  handle: () => ({ stored: true }),
})

const Nothing = z.object({})
const lock = defineEndpoint({
  id: 'test.lock',
  method: 'POST',
  path: '/keeper/lock',
  access: operator('admin'),
  summary: 'Closes the lock',
  description: 'Closes the lock of the harbour until it is opened again.',
  params: Nothing,
  sample: {},
  response: Nothing,
  example: {},
  handle: () => ({}),
})
const berth = defineEndpoint({
  id: 'test.berth',
  method: 'GET',
  path: '/berth',
  access: wallet,
  summary: 'The berth of a signed-in wallet',
  description: 'Where the boat of the wallet that signed in lies.',
  params: Nothing,
  sample: {},
  response: Nothing,
  example: {},
  handle: () => ({}),
})

const shortcut = defineRedirect({
  id: 'test.shortcut',
  path: '/harbours',
  summary: 'Redirects to one harbour',
  description: 'A shorthand that answers 307 to a harbour.',
  to: '/harbours/dover',
})

const Call = z.object({ call: z.string() })
const radio = defineProtocol({
  id: 'test.radio',
  method: 'POST',
  path: '/radio/{channel}',
  summary: 'Speaks over the radio',
  description: 'An address that has words of its own for what is asked and answered.',
  params: z.object({ channel: z.string() }),
  sample: { channel: '16' },
  message: { schema: Call, example: { call: 'harbour' } },
  answer: { schema: Call, example: { call: 'boat' } },
  handle: () => ({ status: 200, headers: [], body: '{}' }),
})

export const harbourGroup: Group<unknown> = {
  tag: 'harbour',
  about: 'Water, boats and those who look after both.',
  endpoints: [harbour, tides, logbook, lock, berth, shortcut, radio],
}

export const PAY_TO = {
  evm: '0x00000000000000000000000000000000000000A1',
  svm: {
    address: 'TestReceiver1111111111111111111111111111111',
    feePayer: 'TestFeePayer111111111111111111111',
  },
}

export function testSite(changes: Partial<Site> = {}): Site {
  return {
    baseUrl: 'https://harbour.test:8443',
    mode: 'sandbox',
    contactEmail: 'master@harbour.test',
    catalog: createCatalog<Site>([harbourGroup, discoveryGroup]),
    demoCallsPerDay: 3,
    hasProjectToken: false,
    facilitator: 'https://facilitator.test',
    payment: createTerms({ evm: PAY_TO.evm, svm: PAY_TO.svm.address }, () => PAY_TO.svm.feePayer),
    startedAt: '2026-01-05T12:00:00.000Z',
    ...changes,
  }
}

/** The text of a document in its default form, or in the form asked for. */
export function rendered(site: Site, id: string, mediaType?: string): string {
  const document = documents.find((each) => each.id === id)
  const rendering = document?.renderings.find(
    (each) => mediaType === undefined || each.mediaType === mediaType,
  )
  if (!rendering) throw new Error(`no document ${id} as ${mediaType ?? 'anything'}`)
  return rendering.render(site)
}
