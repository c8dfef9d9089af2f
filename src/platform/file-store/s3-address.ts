/** The URL of a bucket, and what the names of its objects start with. */
export type S3Address = { bucket: string; region: string; bucketUrl: string; prefix: string }

const example = 's3://bucket/prefix?endpoint=https://s3.example'

/** Reads `s3://bucket/prefix?endpoint=…&region=…`. Without an endpoint, the bucket is at Amazon. */
export function readS3Address(text: string): S3Address {
  const url = URL.parse(text)
  // The message does not quote the value, which may contain keys by mistake.
  if (url === null || url.protocol !== 's3:' || url.hostname === '')
    throw new Error(`the S3 store must be an address such as ${example}`)
  rejectKeys(url)
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined)
    throw new Error(`the address of the S3 store has the unknown parameter "${unknown}"; see ${example}`)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[\w.\-/]*$/.test(prefix))
    throw new Error('the prefix of the S3 store can contain letters, digits, and the characters . _ - /')
  const region = url.searchParams.get('region') ?? 'us-east-1'
  return {
    bucket: url.hostname,
    region,
    bucketUrl: bucketUrl(url, region),
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}

function bucketUrl({ hostname: bucket, searchParams }: URL, region: string): string {
  const endpoint = searchParams.get('endpoint')
  if (endpoint === null) return `https://${bucket}.s3.${region}.amazonaws.com`
  const url = URL.parse(endpoint)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error(`the endpoint of the S3 store must be a URL; see ${example}`)
  rejectKeys(url)
  return `${url.origin}/${bucket}`
}

function rejectKeys({ username, password }: URL): void {
  if (username !== '' || password !== '')
    throw new Error(
      'the address of the S3 store must not contain keys; use CATALOG_MEDIA_ACCESS_KEY and CATALOG_MEDIA_SECRET_KEY',
    )
}
