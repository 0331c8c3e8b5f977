#!/bin/sh
wc -w | tr -d ' '
