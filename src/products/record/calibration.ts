import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { AnyCoin, Count, recordOf, sampleHead } from './fields.ts'
import type { RecordServices } from './services.ts'

const share = z.number().min(0).max(1)
const optional = share.nullable()

const Figures = z.object({
  entries: Count,
  committed: Count,
  missed: Count,
  late: Count,
  revealed: Count,
  unknown: Count,
  scored: Count.describe('Revealed with a known outcome; the figures below are of these'),
  called: Count.describe('Of the scored, those that did not abstain'),
  hits: Count.describe('Of the called, those whose direction was right'),
  hit_rate: optional.describe('hits / called'),
  abstain_share: optional.describe('Of the revealed'),
  base_rate: optional.describe('How often the outcome was UP'),
  brier: optional,
  log_loss: z.number().min(0).nullable(),
  skill: z
    .number()
    .nullable()
    .describe('1 - brier / (base_rate * (1 - base_rate)): above 0 beats the base rate'),
  ece: optional.describe('Expected calibration error over the bins'),
  ece_noise_floor: optional.describe('What ece would be by chance alone were every probability true'),
  bins: z
    .array(z.object({ count: Count, lowest: share, highest: share, mean_probability: share, up_rate: share }))
    .describe('Reliability: up to ten bins of equal mass, 20 predictions at least in each'),
})

const sampleFigures = {
  entries: 40,
  committed: 39,
  missed: 1,
  late: 0,
  revealed: 38,
  unknown: 0,
  scored: 38,
  called: 30,
  hits: 17,
  hit_rate: 0.5666666666666667,
  abstain_share: 0.21052631578947367,
  base_rate: 0.5,
  brier: 0.246,
  log_loss: 0.685,
  skill: 0.016,
  ece: 0.03,
  ece_noise_floor: 0.129,
  bins: [{ count: 38, lowest: 0.41, highest: 0.58, mean_probability: 0.53, up_rate: 0.5 }],
}

export const recordCalibration = defineEndpoint({
  id: 'record.calibration',
  method: 'GET',
  path: '/record/calibration',
  access: free,
  summary: 'How good the predictions were',
  description:
    'Hit rate, Brier score, log loss, skill over the base rate, calibration error with its noise floor and the reliability table, of all coins and of each. Computed from the public record; tollbook verify-record recomputes it.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    tree_size: Count.describe('Leaves of the record that these figures are of'),
    overall: Figures,
    coins: z.array(z.object({ coin: AnyCoin, ...Figures.shape })),
  }),
  example: {
    timestamp: sampleHead.timestamp,
    source: 'record',
    tree_size: sampleHead.tree_size,
    overall: sampleFigures,
    coins: [{ coin: 'BTC', ...sampleFigures }],
  },
  handle: (services: RecordServices) => {
    const { head, all, perCoin } = recordOf(services).latest()
    const figuresOf = ({ bins, ...figures }: typeof all) => ({ ...figures, bins: [...bins] })
    return {
      timestamp: isoTime(head?.atMs ?? services.clock.now()),
      source: services.sourceOf('record'),
      tree_size: head?.treeSize ?? 0,
      overall: figuresOf(all),
      coins: COINS.map((coin) => ({ coin, ...figuresOf(perCoin[coin]) })),
    }
  },
})
