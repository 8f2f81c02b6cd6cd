import { html } from '../frame/html.ts'
import { formFields } from './form-fields.ts'
import { part, type Section, titledPart } from './section.ts'

export const handSection: Section = {
  name: 'hand',
  words: 'By hand',
  lead: 'The five-minute BTC market, with the money of the account that is in use. Needs a key with the scope trade.',
  body: (site) => html`${part('hand-figures')}
${titledPart('Book', 'hand-book')}
<form class="card" data-act="trade.buy" autocomplete="off">
<h3>Buy BTC</h3>
<div class="columns">
${formFields(site, 'trade.buy', ['client_order_id', 'broker'])}</div>
<p class="actions"><button>Buy…</button></p>
</form>
${titledPart('Positions', 'hand-positions')}
<p class="actions"><button type="button" class="danger" data-act="trade.sell" data-asks="Every position of the account in use on the open BTC market is sold, at the midpoint less four cents or better. What is not taken at once is kept.">Sell all of the open market…</button></p>`,
}
