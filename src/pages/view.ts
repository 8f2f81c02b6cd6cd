import type { z } from 'zod'
import type { Site } from '../catalog/site.ts'
import { pathOf } from '../discovery/address.ts'
import type { Page } from './frame/page.ts'
import { inShell } from './frame/shell.ts'

/** What a browser is shown of a product that others read as JSON. */
export type View =
  /** Made of the reply, so page and JSON never differ. */
  | {
      kind: 'reply'
      id: string
      render: (site: Site, reply: unknown) => string
      /** What is shown where this installation keeps the reply to its operator. */
      renderClosed?: ((site: Site) => string) | undefined
    }
  /** The same for everybody; a script of the page asks for the JSON, with a credential that only the visitor has. */
  | { kind: 'shell'; id: string; render: (site: Site) => string }

type Particular = Omit<Page, 'path'>

/** `response` is the schema of the product's reply, which was checked when it was made. */
export function defineView<Reply extends z.ZodType>(
  id: string,
  _response: Reply,
  pageOf: (site: Site, reply: z.output<Reply>) => Particular,
  closedPageOf?: (site: Site) => Particular,
): View {
  const shown = (site: Site, page: Particular) => inShell(site, { path: pathOf(site.catalog, id), ...page })
  return {
    kind: 'reply',
    id,
    render: (site, reply) => shown(site, pageOf(site, reply as z.output<Reply>)),
    renderClosed: closedPageOf && ((site) => shown(site, closedPageOf(site))),
  }
}

export function defineShellView(id: string, pageOf: (site: Site) => Particular): View {
  const render = (site: Site) => inShell(site, { path: pathOf(site.catalog, id), ...pageOf(site) })
  return { kind: 'shell', id, render }
}
