import type { Site } from '../../catalog/site.ts'
import { blocks } from '../markdown-text.ts'
import { waysOnwards } from './frame.ts'

/** A page that there is not, for a reader. The detail quotes the caller, so it stands where it can be no Markdown. */
export function missingText(site: Site, detail: string, hint: string | undefined): string {
  const quoted = `\`${detail.replaceAll('`', "'")}\``
  return blocks('# 404: there is no such page', quoted, hint ?? '', '## Sitemap', waysOnwards(site))
}
