import { FIGURES, type FigureName, type Shown } from '../assets/scalper/words.js'
import { type Html, html } from '../frame/html.ts'

/** The script of the page finds each by its name. */
export function figures(shown: Shown): Html {
  const names = Object.keys(FIGURES) as FigureName[]
  return html`<dl class="stats dense">
${names.map((name) => {
  const { title, of } = FIGURES[name]
  const { text, small, tone } = of(shown)
  return html`<div data-figure="${name}"><dt>${title}</dt><dd><span data-tone="${tone ?? ''}">${text}</span><small>${small}</small></dd></div>\n`
})}</dl>`
}
