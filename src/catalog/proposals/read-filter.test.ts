import { expect, test } from 'vitest'
import { Problem } from '../../platform/http/problems.ts'
import { filterProblem, readFilter } from './read-filter.ts'

function problemOf(text: string): Problem {
  try {
    readFilter(text)
  } catch (problem) {
    if (problem instanceof Problem) return problem
    throw problem
  }
  throw new Error(`${text} has no error.`)
}

test('a filter is read like the query of the list, with aliases, lists and attributes', () => {
  const text =
    'status=active&type=simple&id__in=1&id__in[]=2&search=red+shoe%26&attributes[Shoe%20Size]__gte=42&price__lte=9.5'
  const filters = {
    status: 'active',
    product_type: 'simple',
    id__in: [1, 2],
    search: 'red shoe&',
    attributes: [{ key: 'Shoe Size', operator: 'gte', value: 42 }],
    price__lte: 9.5,
  }
  expect(readFilter(text)).toEqual(filters)
  expect(readFilter(`?${text}`)).toEqual(filters)
})

test('an empty filter matches all products', () => {
  expect(readFilter('')).toEqual({})
  expect(readFilter('?')).toEqual({})
})

test.each(['page', 'page_size', 'per_page', 'limit', 'ordering', 'expand'])('rejects %s', (name) => {
  const { problemCode, extras } = problemOf(`status=active&${name}=1`)
  expect(problemCode).toBe('invalid_body')
  expect(extras.errors).toEqual([
    {
      pointer: '/filter',
      code: 'unknown_parameter',
      message: `${name} does not select products; remove it`,
    },
  ])
})

test.each([
  ['statsu=active', 'unknown_parameter', /^statsu is not a parameter; .*did you mean "status"\?$/],
  ['status=on', 'invalid_value', /^status must be one of active/],
  ['category=shoes', 'invalid_value', /^category must be .*GET \/categories lists/],
  ['sku=a&sku=b', 'repeated_parameter', /^sku is sent twice; to send several values, use sku__in/],
  ['type=simple&product_type=simple', 'repeated_parameter', /^product_type means the same as type/],
  ['attributes.color=red', 'unknown_parameter', /an attribute is written attributes__color$/],
  ['search=%ff', 'invalid_format', /^must be a query string in percent-encoded UTF-8/],
  ['search=größe', 'invalid_format', /^must be a query string in percent-encoded UTF-8/],
  ['search=%00', 'invalid_format', /without NUL/],
])('returns the error of %s as an error of the body', (text, code, message) => {
  const { problemCode, extras } = problemOf(text)
  expect(problemCode).toBe('invalid_body')
  expect(extras.errors).toEqual([{ pointer: '/filter', code, message: expect.stringMatching(message) }])
})

test('all errors of a filter are returned together', () => {
  expect(problemOf('status=on&page=2&in_stock=1&nothing=1').extras.errors).toHaveLength(4)
})

test('errors from project rules become errors of the filter; other problems are not changed', () => {
  const error = { parameter: 'quality_rule', code: 'invalid_value', message: 'is not a rule of this project' }
  const { problemCode, extras } = filterProblem(new Problem('invalid_parameters', { errors: [error] }))
  expect(problemCode).toBe('invalid_body')
  expect(extras.errors).toEqual([
    { pointer: '/filter', code: 'invalid_value', message: 'quality_rule is not a rule of this project' },
  ])
  const other = new Problem('query_timeout')
  expect(filterProblem(other)).toBe(other)
})
