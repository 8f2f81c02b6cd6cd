import { type Shown, TABLES, type TableName } from '../assets/scalper/words.js'
import { type Html, html } from '../frame/html.ts'
import { table } from './table.ts'

/** A chart that the script draws, with what it shows as a sentence and as a table. */
type Plot = { name: TableName; title: string; note: Html; says: string }

const PRICE: Plot = {
  name: 'price',
  title: 'Price and windows',
  note: html`The 60-second average that five-minute markets resolve on. Upright lines: a window opens. Dashed: the opening price, which the close is compared with. Arrows: what we had said of windows that have closed, ✓ right or ✗ wrong.`,
  says: 'Price of Bitcoin over the last fifteen minutes',
}
const SMALL: readonly Plot[] = [
  {
    name: 'odds',
    title: 'Probability of UP',
    note: html`<span class="up">Solid: ours</span>. <span class="down">Dashed: the price on the prediction market</span>. Five minutes late.`,
    says: 'Our probability of UP and the price of UP on the prediction market, five minutes late',
  },
  {
    name: 'imbalance',
    title: 'Order-book imbalance',
    note: html`<span class="up">Above zero: more to buy</span>, <span class="down">below: more to sell</span>. Five minutes late.`,
    says: 'Imbalance of the order book, five minutes late',
  },
  {
    name: 'equity',
    title: 'Profit of the bot after fees',
    note: html`From its first trade on, one point a day and every trade of the newest day.`,
    says: 'Profit of the bot after fees',
  },
]

export function plots(shown: Shown): Html {
  return html`<section class="${cardOf(PRICE, shown)}">${plot(PRICE, shown, 'plot tall')}</section>
<div class="grid">${SMALL.map((each) => html`<section class="${cardOf(each, shown)}">${plot(each, shown)}</section>\n`)}</div>`
}

/** Without scripts there is only the table: a card without one is not shown then. */
const cardOf = ({ name }: Plot, shown: Shown): string =>
  TABLES[name].rowsOf(shown).length > 0 ? 'card plotted' : 'card plotted empty'

function plot({ name, title, note, says }: Plot, shown: Shown, kind = 'plot'): Html {
  return html`<h2>${title}</h2>
<p class="small">${note}</p>
<div class="${kind}" role="img" aria-label="${says}. The table below has the numbers." data-plot="${name}"><p data-unplotted>${TABLES[name].empty}</p></div>
<details><summary>As a table</summary>
${table(name, shown, says)}</details>`
}
