import { html } from '../frame/html.ts'
import { formFields } from './form-fields.ts'
import { part, type Section, titledPart } from './section.ts'

export const configSection: Section = {
  name: 'config',
  words: 'Configuration',
  lead: 'How the bot trades. A change counts from its next look at a window on.',
  body: (site) => html`${part('config-now')}
<form class="card" id="config-form" data-act="admin.change_trading_config" autocomplete="off">
<div class="columns">
${formFields(site, 'admin.change_trading_config', ['version'])}</div>
<p class="small" id="config-pending" data-pending></p>
<p class="actions"><button aria-describedby="config-pending">Review the change</button> <button type="button" class="quiet" data-undo>Undo what I typed</button></p>
</form>
${titledPart('History, newest first', 'config-history')}`,
}
