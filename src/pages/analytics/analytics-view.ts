import type { z } from 'zod'
import type { Site } from '../../catalog/site.ts'
import { chainName } from '../../discovery/about.ts'
import { findPath, pathOf } from '../../discovery/address.ts'
import { PERIODS, type Period } from '../../products/payments/services.ts'
import { Analytics } from '../../products/payments/x402-analytics.ts'
import { type ShareRow, shareTable } from '../charts/share-table.ts'
import { momentHtml, numberText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'
import { defineView } from '../view.ts'
import { callsOf, moneyText, salesCharts } from './sales-charts.ts'

type Reply = z.output<typeof Analytics>

const ID = 'payments.analytics'
const about = {
  title: 'Sales',
  description: 'Calls, sales and revenue of this service by day, product and chain.',
}
const WORDS: Readonly<Record<Period, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  all: 'All time',
}
const ROWS_MAX = 10

export const analyticsView = defineView(
  ID,
  Analytics,
  (site, reply) => ({ ...about, main: analyticsPage(site, reply), scripts: ['local-time.js'] }),
  () => ({ ...about, main: closedPage, isPrivate: true }),
)

function analyticsPage(site: Site, reply: Reply): Html {
  const { period, timestamp, mode, settlements } = reply
  return html`<h1>Sales</h1>
<p class="lead">Summed up from the ledger at ${momentHtml(timestamp)}${mode !== 'live' && '. The money is play money'}. What the operator bought is left out.</p>
<nav class="actions" aria-label="Period">${PERIODS.map((each) => periodLink(site, each, period))}</nav>
${figures(reply)}
${settlements === 0 && html`<p class="card">Nothing was sold in this period. A sale shows here seconds after it is settled.</p>`}
${salesCharts(reply)}
${breakdowns(site, reply)}
<p class="small">The same as JSON: this address, asked for without <code>text/html</code>. Every purchase has a signed receipt.</p>`
}

function periodLink({ catalog }: Site, period: Period, shown: Period): Html {
  const isShown = period === shown
  return html`<a class="button${!isShown && ' quiet'}" href="${pathOf(catalog, ID)}?period=${period}"${isShown && html` aria-current="page"`}>${WORDS[period]}</a>\n`
}

function figures({ revenue_usdc, settlements, unique_wallets, calls }: Reply): Html {
  return html`<dl class="stats">
<div><dt>Revenue</dt><dd>${moneyText(revenue_usdc)}<small>USDC</small></dd></div>
<div><dt>Sales</dt><dd>${numberText(settlements)}<small>settled payments</small></dd></div>
<div><dt>Wallets that paid</dt><dd>${numberText(unique_wallets)}</dd></div>
<div><dt>Calls</dt><dd>${numberText(callsOf(calls))}<small>${numberText(calls.demo)} on the free daily calls</small></dd></div>
</dl>`
}

function breakdowns(site: Site, reply: Reply): Html {
  const { products, networks, wallets, calls } = reply
  const money = (row: { settlements: number; revenue_usdc: number }, name: Html | string): ShareRow => ({
    ...{ name, value: row.revenue_usdc },
    cells: [numberText(row.settlements), moneyText(row.revenue_usdc)],
  })
  const mostRevenue = products.toSorted((a, b) => b.revenue_usdc - a.revenue_usdc)
  const mostCalls = calls.products.toSorted((a, b) => callsOf(b) - callsOf(a))
  const productRows = mostRevenue
    .slice(0, ROWS_MAX)
    .map((row) => money(row, productName(site, row.product_id)))
  const callRows = mostCalls.slice(0, ROWS_MAX).map((row) => ({
    ...{ name: productName(site, row.product_id), value: callsOf(row) },
    cells: [numberText(callsOf(row)), numberText(row.failed)],
  }))
  const chainRows = networks.map((row) => money(row, chainName(row.network)))
  const walletRows = wallets.slice(0, ROWS_MAX).map((row) => money(row, html`<code>${row.wallet}</code>`))
  return html`<div class="halves">
${block('Revenue by product', ['Product', 'Sales', 'USDC'], productRows, products.length)}
${block('Calls by product', ['Product', 'Calls', 'Failed'], callRows, calls.products.length)}
${block('Revenue by chain', ['Chain', 'Sales', 'USDC'], chainRows, networks.length)}
${block('Revenue by wallet', ['Wallet', 'Sales', 'USDC'], walletRows, reply.unique_wallets)}
</div>`
}

function block(
  title: string,
  heads: readonly [string, ...string[]],
  rows: readonly ShareRow[],
  all: number,
): Html {
  const rest = all - rows.length
  return html`<section class="card"><h2>${title}</h2>
${rows.length === 0 ? html`<p>None in this period.</p>` : shareTable(title, heads, rows)}
${rest > 0 && html`<p class="small">${numberText(rest)} more in the JSON of this address.</p>`}
</section>`
}

/** Where it is sold; a product that is gone has its id only. */
const productName = ({ catalog }: Site, id: string): Html => html`<code>${findPath(catalog, id) ?? id}</code>`

const closedPage = html`<h1>Sales</h1>
<p class="lead">The operator of this service keeps its sales and revenue private.</p>
<p>Everything else can be checked: the track record, the status, and each purchase by its signed receipt. The operator sees the figures with a key.</p>`
