import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { definePage } from '../../catalog/endpoints/page.ts'
import type { Site } from '../../catalog/site.ts'
import { pathOf } from '../../discovery/address.ts'
import type { LiveEvent } from '../../products/bot/live/live-event.ts'
import { scalper } from '../../products/bot/scalper.ts'
import { scalperEvents } from '../../products/bot/scalper-events.ts'
import { record } from '../../products/record/record.ts'
import { secondOf } from '../assets/formats.js'
import { type Html, html } from '../frame/html.ts'
import { inShell, PAGE_POLICY } from '../frame/shell.ts'
import type { PageServices } from '../services.ts'
import { figures } from './figures.ts'
import { plots } from './plots.ts'
import { table } from './table.ts'

const PATH = '/scalper'
const SUMMARY = 'Live dashboard of the five-minute Bitcoin signals and of our bot'

/** Of one second there is one page, whoever asks for it. */
const pages = new WeakMap<LiveEvent, string>()

export const scalperPage = definePage({
  id: 'page.scalper',
  path: PATH,
  access: free,
  summary: SUMMARY,
  description:
    'A page for people: the Bitcoin price with its five-minute windows, our closed signals with their outcome, our probability beside the price on the prediction market and the imbalance of the order book (five minutes late), profit of the bot after fees, its trades and its circuit breaker. It keeps itself up to date.',
  params: z.object({}),
  sample: {},
  handle: ({ site, live }: PageServices) => {
    const shown = live.now()
    const page = pages.get(shown) ?? render(site, shown)
    pages.set(shown, page)
    return { html: page, contentSecurityPolicy: PAGE_POLICY }
  },
})

function render(site: Site, shown: LiveEvent): string {
  return inShell(site, {
    path: PATH,
    title: 'Live',
    description: SUMMARY,
    main: main(site, shown),
    scripts: ['scalper/scalper.js'],
  })
}

function main(site: Site, shown: LiveEvent): Html {
  return html`<h1>Bitcoin in windows of five minutes</h1>
<p class="lead">Will Bitcoin close a window of five minutes at or above its opening price? We put a probability on it, and our bot trades on that. Price, window and results are of now. What we sell while it is fresh is shown <strong>five minutes late</strong>.</p>
<p class="small"><span class="badge" role="status" data-connection>As of ${secondOf(Math.floor(Date.parse(shown.timestamp) / 1000))} UTC</span>
All times are UTC. The same as <a href="${scalper.path}">JSON</a> and as <a href="${scalperEvents.path}" data-events>events</a>.</p>
<noscript><p class="small">Without JavaScript this page stands still: load it again for newer figures.</p></noscript>
<div data-followed>
${figures(shown)}
${plots(shown)}
</div>
<div class="halves">
<section class="card"><h2>Our closed signals</h2>
<p class="small">What we said before a window opened, and how it closed. Each is committed to in the <a href="${record.path}">track record</a> before its window opens. The signal of the open window is <a href="${pathOf(site.catalog, 'document.pricing')}">sold</a>.</p>
${table('signals', shown, 'Our signals of the last hour')}</section>
<section class="card"><h2>The bot’s last trades</h2>
<p class="small">Resolved trades of all four coins, after fees${shown.bot ? html`: ${shown.bot.account_note}` : ''}.</p>
${table('trades', shown, 'The newest resolved trades')}</section>
</div>
<p class="small">Charts by <a href="https://www.tradingview.com/lightweight-charts/">TradingView Lightweight Charts</a>.</p>`
}
