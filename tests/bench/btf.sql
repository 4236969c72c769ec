-- SPDX-License-Identifier: MIT
-- Times of the tasks and ISRs of a BTF trace, as rows of element, metric, n, min, mean, max in ticks.
-- `events' has the lines of the trace in their order: line, time, type, element, instance, event.
-- An instance runs from start or resume to whatever event comes next to it.
WITH steps AS (
  SELECT element, instance, event, time,
         lead(time) OVER (PARTITION BY element, instance ORDER BY line) AS until
  FROM events WHERE type IN ('T', 'I')
), instances AS (
  SELECT element, instance,
         min(CASE WHEN event = 'activate' THEN time END) AS activation,
         min(CASE WHEN event = 'start' THEN time END) AS start,
         max(CASE WHEN event = 'terminate' THEN time END) AS terminate,
         sum(CASE WHEN event IN ('start', 'resume') THEN until - time END) AS running
  FROM steps GROUP BY element, instance
), samples AS (
  SELECT element, 'IPT' AS metric, start - activation AS value FROM instances
  UNION ALL SELECT element, 'CET', CASE WHEN terminate IS NOT NULL THEN running END FROM instances
  UNION ALL SELECT element, 'GET', terminate - start FROM instances
  UNION ALL SELECT element, 'RT', terminate - activation FROM instances
)
SELECT element, metric, count(*), min(value), avg(value), max(value)
FROM samples WHERE value IS NOT NULL GROUP BY element, metric
