#!/bin/sh
echo "EXPLAIN $1"
