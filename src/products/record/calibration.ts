import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { AnyCoin, Count, recordOf, Share } from './fields.ts'
import type { RecordServices } from './services.ts'

const optional = Share.nullable()

export const Bin = z.object({
  count: Count,
  lowest: Share,
  highest: Share,
  mean_probability: Share,
  up_rate: Share,
})

export const Figures = z.object({
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
  bins: z.array(Bin).describe('Reliability: up to ten bins of equal mass, 20 predictions at least in each'),
})

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
