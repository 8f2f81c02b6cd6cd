import { USAGE_DAYS } from '../../products/payments/services.ts'
import { html } from '../frame/html.ts'
import { part, type Section, titledPart } from './section.ts'

/** Sections that only show. */

export const ledgerSection: Section = {
  name: 'ledger',
  words: 'Ledger',
  lead: 'Sales: settled payments, without your own purchases.',
  body: () => html`${part('ledger-figures')}
${titledPart('By day, newest first', 'ledger-days')}
${titledPart('By wallet, last payment first', 'ledger-wallets')}
${titledPart('Ways to pay', 'ledger-networks')}
${titledPart('Facilitators', 'ledger-facilitators')}`,
}

export const usageSection: Section = {
  name: 'usage',
  words: 'Usage',
  lead: `Calls of the last ${USAGE_DAYS} UTC days, without 402s and operator routes. This console asks /health and /x402/status once a minute, which is in it.`,
  body: () => html`${part('usage-figures')}
${titledPart('By day, newest first', 'usage-days')}
${titledPart('By endpoint, most called first', 'usage-endpoints')}
<div class="halves"><div>${titledPart('By who bore the cost', 'usage-access')}</div>
<div>${titledPart('By status', 'usage-status')}</div></div>
${titledPart('Views of pages', 'usage-pages')}`,
}

export const tradesSection: Section = {
  name: 'trades',
  words: 'Trades',
  lead: 'Closed trades: markets that were traded and have resolved, newest window first. Money of the paper account is simulated.',
  body: () => html`<p><input type="checkbox" id="trades-real"> <label for="trades-real">Only trades with the account at the venue</label></p>
${part('trades-list')}`,
}

export const decisionsSection: Section = {
  name: 'decisions',
  words: 'Decisions',
  lead: 'What the bot made of its signals, newest first. The runbook says what each reason means.',
  body: () => html`${titledPart('Signals of the open window', 'decisions-signals')}
${titledPart('Decisions', 'decisions-list')}
${titledPart('Signals that were logged', 'decisions-logged')}`,
}

export const accessSection: Section = {
  name: 'access',
  words: 'Access',
  lead: 'The newest calls of operator routes. More: ./tollbook keys audit.',
  body: () => html`${part('access-dropped')}
${titledPart('With a key', 'access-keys')}
${titledPart('Without one', 'access-strangers')}`,
}
