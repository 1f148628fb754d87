#pragma once
#include <argp.h>
