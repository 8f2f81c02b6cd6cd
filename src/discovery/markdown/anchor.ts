/** The anchor of a heading, as links to sections are written: in small letters, with hyphens. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
