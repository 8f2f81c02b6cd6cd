export { default } from 'minisearch'
