/** The URL without `https://` and a trailing slash. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '').replace(/\/$/, '')
}
