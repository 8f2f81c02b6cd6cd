import { type JsonSchema, paramShapes } from '../../catalog/json-schema.ts'
import type { Site } from '../../catalog/site.ts'
import { type Html, html } from '../frame/html.ts'

/** Beyond a line of a form. */
const LINE_CHARS = 200

type Field = { name: string; schema: JsonSchema; description: string; required: boolean }

/** The params of a product as fields of a form: kind, bounds and help are those that the route checks and documents. */
export function formFields({ catalog }: Site, id: string, except: readonly string[] = []): Html[] {
  const product = catalog.products.find((each) => each.id === id)
  if (!product) throw new Error(`a form is made for ${id}, which the catalog lacks`)
  return paramShapes(product.params, [], {})
    .filter(({ name }) => !except.includes(name))
    .map((shape) => toFields(id, shape))
}

function toFields(form: string, { name, schema, description, required }: Field): Html {
  if (schema.type !== 'object') return toField(form, { name, schema, description, required })
  const inner = Object.entries(schema.properties as Record<string, JsonSchema>)
  return html`<fieldset><legend>${wordsOf(name)}</legend>
<p class="small">${description}.</p>
<div class="columns">
${inner.map(([each, part]) =>
  toField(form, {
    name: `${name}.${each}`,
    schema: part,
    description: String(part.description),
    required: false,
  }),
)}</div></fieldset>
`
}

/** The label is the name in the API, spelt as words, so that form, documents and audit agree. */
function toField(form: string, field: Field): Html {
  const { name, schema, description } = field
  const id = `${form}-${name}`.replaceAll('.', '-')
  const label = html`<label for="${id}">${wordsOf(name.split('.').at(-1) ?? name)}</label>`
  const help = html`<small id="${id}-help">${description}${boundsOf(schema)}.</small>`
  if (schema.type === 'boolean')
    return html`<p class="field"><span>${toControl(id, field)} ${label}</span>${help}</p>\n`
  return html`<p class="field">${label}${toControl(id, field)}${help}</p>\n`
}

function toControl(id: string, { name, schema, required }: Field): Html {
  const { minimum, maximum, multipleOf, maxLength } = schema as Record<string, number | undefined>
  const shared = html`id="${id}" name="${name}" aria-describedby="${id}-help"${required && html` required`}`
  if (schema.type === 'boolean') return html`<input type="checkbox" ${shared}>`
  if (Array.isArray(schema.enum))
    return html`<select ${shared}>${schema.enum.map((value) => toOption(String(value), schema.default))}</select>`
  if (schema.type === 'string' && (maxLength ?? 0) > LINE_CHARS)
    return html`<textarea ${shared} maxlength="${maxLength}" rows="3"></textarea>`
  if (schema.type === 'string') return html`<input ${shared} maxlength="${maxLength}">`
  const step = multipleOf ?? (schema.type === 'integer' ? 1 : 'any')
  const value = schema.default === undefined ? undefined : html` value="${String(schema.default)}"`
  return html`<input type="number" ${shared} min="${minimum}" max="${maximum}" step="${step}"${value}>`
}

/** The console says UP and DOWN of everything; orders name their token. */
const SIDES: Readonly<Record<string, string>> = { YES: 'UP (YES)', NO: 'DOWN (NO)' }

const toOption = (value: string, preset: unknown): Html =>
  html`<option${SIDES[value] !== undefined && html` value="${value}"`}${value === preset && html` selected`}>${SIDES[value] ?? value}</option>`

function boundsOf({ minimum, maximum, maxLength }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `; ${minimum} to ${maximum}`
  return maxLength === undefined ? '' : `; ${maxLength} characters at most`
}

const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ').replace(/\busd\b/, '(USD)')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
