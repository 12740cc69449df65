;; One agent in one room of a household: it walks between pieces of furniture, opens and closes them,
;; carries one object at a time, and cleans, heats, cools, slices and switches on what it finds.
;; Walking, opening, closing, taking and moving cost 1, treating an object costs 5, looking is free.

(define (domain household)
  (:requirements :adl :typing :action-costs)
  (:types agent location receptacle object rtype otype)

  (:predicates
    ;; the room
    (receptacleType ?r - receptacle ?rt - rtype)
    (objectType ?o - object ?ot - otype)
    (canContain ?rt - rtype ?ot - otype)
    (receptacleAtLocation ?r - receptacle ?l - location)
    (openable ?r - receptacle)
    (isReceptacleObject ?o - object)
    (pickupable ?o - object)
    (cleanable ?o - object)
    (heatable ?o - object)
    (coolable ?o - object)
    (toggleable ?o - object)
    (sliceable ?o - object)
    ;; what changes
    (atLocation ?a - agent ?l - location)
    (objectAtLocation ?o - object ?l - location)
    (inReceptacle ?o - object ?r - receptacle)
    (inReceptacleObject ?inner - object ?outer - object)
    (opened ?r - receptacle)
    (holds ?a - agent ?o - object)
    (holdsAny ?a - agent)
    (isClean ?o - object)
    (isHot ?o - object)
    (isCool ?o - object)
    (isOn ?o - object)
    (isToggled ?o - object)
    (isSliced ?o - object)
    ;; gives actions that only look an effect: an operator that changes nothing would be dropped
    (alert ?a - agent))

  (:functions (total-cost) - number)

  (:action look
    :parameters (?a - agent ?l - location)
    :precondition (and (atLocation ?a ?l))
    :effect (and (alert ?a)))

  (:action inventory
    :parameters (?a - agent)
    :precondition ()
    :effect (and (alert ?a)))

  (:action help
    :parameters (?a - agent)
    :precondition ()
    :effect (and (alert ?a)))

  (:action inspect
    :parameters (?a - agent ?r - receptacle)
    :precondition (and
      (exists (?l - location)
        (and (atLocation ?a ?l) (receptacleAtLocation ?r ?l))))
    :effect (and (alert ?a)))

  (:action examine
    :parameters (?a - agent ?o - object)
    :precondition (and (holds ?a ?o))
    :effect (and (alert ?a)))

  ;; Going to where one already is would change nothing, so it is not available.
  (:action go
    :parameters (?a - agent ?from - location ?to - location ?r - receptacle)
    :precondition (and (atLocation ?a ?from) (receptacleAtLocation ?r ?to))
    :effect (and
      (not (atLocation ?a ?from))
      (atLocation ?a ?to)
      (increase (total-cost) 1)))

  (:action open
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (openable ?r)
      (not (opened ?r)))
    :effect (and
      (opened ?r)
      (increase (total-cost) 1)))

  (:action close
    :parameters (?a - agent ?l - location ?r - receptacle)
    :precondition (and
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (openable ?r)
      (opened ?r))
    :effect (and
      (not (opened ?r))
      (increase (total-cost) 1)))

  (:action take
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (or (not (openable ?r)) (opened ?r))
      (inReceptacle ?o ?r)
      (pickupable ?o)
      (not (holdsAny ?a)))
    :effect (and
      (not (inReceptacle ?o ?r))
      (holds ?a ?o)
      (holdsAny ?a)
      (not (objectAtLocation ?o ?l))
      (increase (total-cost) 1)))

  (:action move
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle ?ot - otype ?rt - rtype)
    :precondition (and
      (holds ?a ?o)
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (or (not (openable ?r)) (opened ?r))
      (objectType ?o ?ot)
      (receptacleType ?r ?rt)
      (canContain ?rt ?ot))
    :effect (and
      (inReceptacle ?o ?r)
      (objectAtLocation ?o ?l)
      (not (holds ?a ?o))
      (not (holdsAny ?a))
      (increase (total-cost) 1)))

  (:action clean
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and
      (holds ?a ?o)
      (cleanable ?o)
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (receptacleType ?r SinkBasinType))
    :effect (and
      (isClean ?o)
      (increase (total-cost) 5)))

  (:action heat
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and
      (holds ?a ?o)
      (heatable ?o)
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (receptacleType ?r MicrowaveType))
    :effect (and
      (isHot ?o)
      (not (isCool ?o))
      (increase (total-cost) 5)))

  (:action cool
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and
      (holds ?a ?o)
      (coolable ?o)
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (receptacleType ?r FridgeType))
    :effect (and
      (isCool ?o)
      (not (isHot ?o))
      (increase (total-cost) 5)))

  (:action use
    :parameters (?a - agent ?l - location ?o - object ?r - receptacle)
    :precondition (and
      (toggleable ?o)
      (atLocation ?a ?l)
      (receptacleAtLocation ?r ?l)
      (inReceptacle ?o ?r))
    :effect (and
      (when (isOn ?o) (not (isOn ?o)))
      (when (not (isOn ?o)) (isOn ?o))
      (isToggled ?o)
      (increase (total-cost) 5)))

  (:action slice
    :parameters (?a - agent ?l - location ?o - object ?k - object)
    :precondition (and
      (sliceable ?o)
      (or (objectType ?k KnifeType) (objectType ?k ButterKnifeType))
      (atLocation ?a ?l)
      (objectAtLocation ?o ?l)
      (holds ?a ?k))
    :effect (and
      (isSliced ?o)
      (increase (total-cost) 5)))
)
