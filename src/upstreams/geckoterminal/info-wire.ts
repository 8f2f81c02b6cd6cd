import { z } from 'zod'
import { maybeNumber } from '../wire/number.ts'
import { chainId, maybeCount } from '../wire/on-chain.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { maybeTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'
import { coinId, decimals, name, reference } from './pool-wire.ts'

const MAX_CATEGORIES = 100
const MAX_ID_CHARS = 128
const MAX_DESCRIPTION_CHARS = 1_000

const percent = () => orUnknown(maybeNumber({ min: 0, max: 100 }))
/** `yes`, `no` or `unknown`, or a flag. */
const authority = () =>
  z
    .unknown()
    .optional()
    .transform((value) =>
      value === true || value === 'yes' ? true : value === false || value === 'no' ? false : undefined,
    )

const Holders = z
  .object({
    count: maybeCount(),
    distribution_percentage: orUnknown(
      z.object({ top_10: percent(), '11_20': percent(), '21_40': percent(), rest: percent() }),
    ),
    last_updated: orUnknown(maybeTime()),
  })
  .transform(({ count, distribution_percentage: shares, last_updated }) => ({
    count,
    /** Of the supply. */
    top10Percent: shares?.top_10,
    top11To20Percent: shares?.['11_20'],
    top21To40Percent: shares?.['21_40'],
    updatedAtMs: last_updated,
  }))

/** `/networks/…/tokens/{address}/info`: what GeckoTerminal thinks of the token, and who holds it where that is known. */
export const TokenInfoReply = z
  .object({
    data: z.object({
      id: reference(),
      attributes: z.object({
        address: chainId(),
        name: name(),
        symbol: name(),
        decimals: decimals(),
        coingecko_coin_id: coinId(),
        description: shownWords(MAX_DESCRIPTION_CHARS),
        websites: orUnknown(wireArray(z.unknown(), MAX_CATEGORIES)),
        twitter_handle: orUnknown(wireText(MAX_ID_CHARS, 1)),
        telegram_handle: orUnknown(wireText(MAX_ID_CHARS, 1)),
        gt_score: percent(),
        gt_score_details: orUnknown(
          z.object({
            pool: percent(),
            transaction: percent(),
            creation: percent(),
            info: percent(),
            holders: percent(),
          }),
        ),
        gt_verified: authority(),
        categories: orUnknown(wireArray(wireText(MAX_ID_CHARS), MAX_CATEGORIES)),
        holders: orUnknown(Holders),
        mint_authority: authority(),
        freeze_authority: authority(),
        is_honeypot: authority(),
        developer_address: orUnknown(chainId()),
        developer_holding_percentage: percent(),
      }),
    }),
  })
  .transform(({ data: { id, attributes } }) => ({
    network: id.network,
    address: attributes.address,
    name: attributes.name,
    symbol: attributes.symbol,
    decimals: attributes.decimals,
    coinId: attributes.coingecko_coin_id,
    description: attributes.description,
    websites: attributes.websites?.length,
    twitter: attributes.twitter_handle,
    telegram: attributes.telegram_handle,
    /** 0 to 100. */
    score: attributes.gt_score,
    scoreParts: attributes.gt_score_details,
    isVerified: attributes.gt_verified,
    categories: attributes.categories ?? [],
    holders: attributes.holders,
    canMint: attributes.mint_authority,
    canFreeze: attributes.freeze_authority,
    isHoneypot: attributes.is_honeypot,
    developer: attributes.developer_address,
    /** Of the supply. */
    developerPercent: attributes.developer_holding_percentage,
  }))
export type GeckoTokenInfo = z.output<typeof TokenInfoReply>
