import { html } from '../frame/html.ts'
import { part, type Section, titledPart } from './section.ts'

export const overviewSection: Section = {
  name: 'overview',
  words: 'Overview',
  lead: 'All times are UTC.',
  body: () => html`${part('overview-figures')}
${titledPart('Bot', 'overview-bot')}
${titledPart('Accounts', 'overview-accounts')}
${titledPart('Revenue by product', 'overview-products')}
${titledPart('Refused payments by reason', 'overview-refused')}
${titledPart('Health, renewed every minute', 'overview-health')}`,
}
