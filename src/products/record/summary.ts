import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { wilsonInterval } from '../../core/math/wilson.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { toPublicHead } from '../../record/log/signed-head.ts'
import { BASELINES } from '../../record/scores/comparison.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method, methodLink } from '../method-link.ts'
import { Bin, Figures } from './calibration.ts'
import { recordEntry } from './entry.ts'
import { AnchorNote, AnyCoin, Head, recordOf, Share, toAnchorNote } from './fields.ts'
import { Finding, findingOf } from './finding.ts'
import { FormerKey, toFormerKey } from './key-change.ts'
import { ListedWindow, listWindows } from './listed-windows.ts'
import { record } from './record.ts'
import type { RecordServices } from './services.ts'

const Estimate = z.object({
  value: z.number(),
  low: z.number().nullable().describe('Lower end of the 95 % interval; null with fewer than 30 windows'),
  high: z.number().nullable().describe('Upper end of the 95 % interval; null with fewer than 30 windows'),
})
const score = z.number().min(0)
const { bins: _bins, ...figures } = Figures.shape

export const Summary = z.object({
  timestamp: Timestamp,
  source: Source,
  coin: AnyCoin.nullable().describe('What the figures and the list are of; null: of all coins'),
  finding: Finding.describe('What the record shows today'),
  first_window: z.int().nullable().describe('Epoch second at which the first recorded window opened'),
  last_window: z.int().nullable().describe('Epoch second at which the newest recorded window opens'),
  figures: z.object(figures).describe('As in /record/calibration'),
  scores: z
    .object({ brier: Estimate, log_loss: Estimate })
    .nullable()
    .describe(
      'Ours, with intervals in which a window counts once, whatever its coins; null while there are none',
    ),
  baselines: z
    .array(
      z.object({
        name: z
          .enum(BASELINES)
          .describe('coin_flip always says 0.5, base_rate how often UP came, which it knows with hindsight'),
        scores: z.object({ brier: score, log_loss: score }),
        difference: z
          .object({ brier: Estimate, log_loss: Estimate })
          .describe('Ours less that of the baseline on the same windows: below 0 is better'),
      }),
    )
    .describe('What others would have scored on the same windows'),
  bins: z
    .array(z.object({ ...Bin.shape, up_rate_low: Share, up_rate_high: Share }))
    .describe('Reliability, as in /record/calibration, with the 95 % interval of each rate'),
  key_id: z.string().describe('did:key that signs the newest head'),
  former_keys: z.array(FormerKey).describe('Keys that signed earlier heads, oldest first'),
  head: Head.nullable().describe('Newest signed head; null while the record is empty'),
  newest_anchor: AnchorNote.nullable().describe('Newest root that was written to a chain'),
  entries: z.array(ListedWindow).describe('Windows of the record, newest first'),
  newer: z.int().nullable().describe('Value of before for the page of newer windows; null on the first'),
  older: z.int().nullable().describe('Value of before for the page of older windows; null on the last'),
  verify: z.object({
    command: z.string().describe('Recomputes the whole record without trusting this service'),
    entry: z.string().describe('Address of one entry with its proofs'),
    log: z.string().describe('Address of the whole record, leaf by leaf'),
  }),
  method: Method,
})

/** Predictions of one window are not independent, so these are a little narrow; the scores' intervals are not. */
function withInterval<B extends { count: number; up_rate: number }>(bin: B) {
  const { low, high } = wilsonInterval(bin.up_rate * bin.count, bin.count)
  return { ...bin, up_rate_low: low, up_rate_high: high }
}

const VERIFY = {
  command: './tollbook verify-record <address of this service>',
  entry: recordEntry.path,
  log: record.path,
}

/** Every entry of a page is a read of the ledger. All but the anchor changes with the head, and that may be late. */
const summaryChanges = (services: RecordServices) => [
  recordOf(services).latest(),
  Math.floor(services.clock.now() / SECOND_MS),
]

export const recordSummary = defineEndpoint({
  id: 'record.summary',
  method: 'GET',
  path: '/proof',
  access: free,
  summary: 'What the track record shows, against baselines',
  description:
    'Scores of our probabilities with 95 % intervals beside those of a coin flip and of the base rate, the reliability table, the newest signed head and anchor, and every window of the record, newest first. The market price is no baseline here: the record does not hold it. A browser gets a page that checks entries by itself.',
  params: z.object({
    coin: AnyCoin.optional().describe('Figures and windows of this coin only'),
    before: z
      .int()
      .min(0)
      .max(1e12)
      .optional()
      .describe('Lists windows that open before this epoch second; the newest ones when left out'),
  }),
  sample: {},
  response: Summary,
  limit: { name: 'record-summary', calls: 300, windowS: 60 },
  changes: summaryChanges,
  handle: async (services: RecordServices, { coin, before }) => {
    const desk = recordOf(services)
    const { head, all, perCoin, compared, windows } = desk.latest()
    const { bins, ...counted } = coin ? perCoin[coin] : all
    const comparison = coin ? compared.perCoin[coin] : compared.all
    const [anchor, listed] = await Promise.all([
      desk.newestAnchor(),
      listWindows(desk, windows, { coin, beforeS: before }),
    ])
    return {
      timestamp: isoTime(head?.atMs ?? services.clock.now()),
      source: services.sourceOf('record'),
      coin: coin ?? null,
      finding: findingOf(comparison, counted.scored),
      first_window: windows?.firstS ?? null,
      last_window: windows?.lastS ?? null,
      figures: counted,
      scores: comparison.ours,
      baselines: [...comparison.baselines],
      bins: bins.map(withInterval),
      key_id: desk.keyId,
      former_keys: desk.keyChanges().map(toFormerKey),
      head: head ? toPublicHead(head) : null,
      newest_anchor: anchor ? toAnchorNote(anchor) : null,
      ...listed,
      verify: VERIFY,
      method: methodLink('record'),
    }
  },
})
