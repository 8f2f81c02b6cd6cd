import { html } from '../frame/html.ts'
import { defineShellView } from '../view.ts'
import { botSection } from './bot-section.ts'
import { configSection } from './config-section.ts'
import { accessSection, decisionsSection, ledgerSection, tradesSection, usageSection } from './figures.ts'
import { handSection } from './hand-section.ts'
import { overviewSection } from './overview-section.ts'
import { productsBlock, routesBlock } from './routes.ts'
import { type Section, toMarkup } from './section.ts'
import { signIn, withoutScripts } from './sign-in.ts'
import { tasksSection } from './tasks-section.ts'

const SECTIONS: readonly Section[] = [
  overviewSection,
  ledgerSection,
  usageSection,
  botSection,
  handSection,
  tradesSection,
  decisionsSection,
  configSection,
  tasksSection,
  accessSection,
]

/** The same for everybody, and it tells nothing: its script asks for the key, and with it for everything else. */
export const consoleView = defineShellView('admin.dashboard', (site) => ({
  title: 'Operator console',
  description: 'For the operator of this service. It needs a key.',
  isPrivate: true,
  scripts: ['console/console.js'],
  main: html`<h1>Operator console</h1>
${withoutScripts(site)}
${signIn}
<div class="console" id="console" data-mode="${site.mode}" hidden>
<nav aria-label="Console">
${SECTIONS.map(({ name, words }) => html`<a href="#${name}">${words}</a>\n`)}
<button type="button" class="quiet" id="sign-out">Sign out</button>
</nav>
<div class="dense">
${SECTIONS.map((section) => toMarkup(site, section))}
<div id="told" class="told"><p role="status"></p><button type="button" class="quiet" hidden>Dismiss</button></div>
</div>
</div>
${routesBlock(site)}
${productsBlock(site)}`,
}))
