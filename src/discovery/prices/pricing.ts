import { z } from 'zod'
import { defineDocument } from '../../catalog/endpoints/document.ts'
import type { Site } from '../../catalog/site.ts'
import { MODES } from '../../config/variables/variable.ts'
import { demoTerms, NAME, noticeOf } from '../about.ts'
import { json, markdown } from '../json-document.ts'
import { blocks, table } from '../markdown-text.ts'
import { CURRENCY, priceOf } from './price.ts'

const Pricing = z.object({
  currency: z.string().min(1),
  decimals: z.int().min(0),
  mode: z.enum(MODES),
  notice: z.string().min(1).optional(),
  demo: z.object({ free_calls_per_day_per_ip: z.int().min(0), via: z.string().min(1) }),
  items: z.array(
    z.object({
      path: z.string().min(1).startsWith('/'),
      method: z.enum(['GET', 'POST']),
      id: z.string().min(1),
      summary: z.string().min(1),
      price_usdc: z.number().min(0),
      amount_atomic: z.string().regex(/^\d+$/),
      aliases: z.array(z.string().startsWith('/')),
    }),
  ),
})

export const pricing = defineDocument({
  id: 'document.pricing',
  path: '/pricing',
  summary: 'Pricing table',
  description:
    'The price per call of every paid endpoint in USDC, with its aliases and the free daily calls.',
  renderings: [json({ schema: Pricing, build: toPricing }), markdown(pricingText)],
})

const USDC_DECIMALS = 6

function toPricing(site: Site): z.input<typeof Pricing> {
  const notice = noticeOf(site)
  return {
    currency: CURRENCY,
    decimals: USDC_DECIMALS,
    mode: site.mode,
    ...(notice === '' ? {} : { notice }),
    demo: demoTerms(site),
    items: site.catalog.paid.map((product) => ({
      path: product.path,
      method: product.method,
      id: product.id,
      summary: product.summary,
      price_usdc: priceOf(product).usdc,
      amount_atomic: priceOf(product).atomic,
      aliases: (product.aliases ?? []).map((alias) => (typeof alias === 'string' ? alias : alias.path)),
    })),
  }
}

function pricingTable(site: Site): string {
  const rows = toPricing(site).items.map((item) => [
    `\`${item.method} ${item.path}\``,
    `$${item.price_usdc}`,
    item.summary,
    item.aliases.map((alias) => `\`${alias}\``).join(', '),
  ])
  return table(['Endpoint', `${CURRENCY} per call`, 'What', 'Also at'], rows)
}

function pricingText(site: Site): string {
  return blocks(`# ${NAME} pricing`, noticeOf(site), demoTerms(site).via, pricingTable(site))
}
